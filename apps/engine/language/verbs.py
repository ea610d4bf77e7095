"""Finite verbs: the commonest ones, by which a clause is told from a phrase and its subject from the rest."""

from __future__ import annotations

import re

_WORDS = """
    am is are was were be been being has have had do does did done will would can cannot could should must may
    might won't don't dont doesn't didn't isn't aren't wasn't i'm im we're you're they're it's its he's she's
    that's thats there's theres who's i've we've you've they've i'd we'd he'd she'd it'd you'd they'd
    i'll we'll he'll she'll it'll you'll they'll get gets got go goes
    went make makes made take takes took come comes came run runs ran use uses used work works worked live lives
    lived keep keeps kept need needs want wants wanna like likes love prefer prefers hate speak speaks eat eats
    drink give gave find found write writes wrote say says said tell told pay pays paid sell sells sold buy
    bought open opens start starts end ends stay stays play plays put puts read reads rent rents sit sits land
    lands turn turned turns switch switched move moved moves swap swapped drop dropped decided agreed chose
    picked leave leaves left let lets learn learned remember skip collect show shows export exports build builds
    built ship ships host tag cost costs charge charges weigh sleep wear meet meets handle handles own owns lead
    leads teach teaches study studies claim claims called named signed bumped becomes became change changed
    changes bring brings brought fix fixed fixes stop stopped stops cook cooks arrive arrives serve serves
    slides expect expects drive drives play plays eat
    drinks sends sent gives visits holds ends closes close takes belong belongs teach supervises charges reads rises
    sound sounds seats fits weighs opened closed instead
    ist sind hat haben heißt läuft wohne wohnt arbeite arbeitet lebe lebt ziehe nutzen kostet beginnt
    está están tiene tengo soy vivo trabajo llama usamos empieza cuesta
    won wins lost loses
    est sont sera serai avons utilise utilisons habite travaille commence coûte
"""
VERB = re.compile(
    rf"\b(?:{'|'.join(sorted(set(_WORDS.split()), key=len, reverse=True))}|\w{{3,}}ed|\w+[aei]mos)\b|(?<= )=(?= )",
    re.IGNORECASE,
)
"""A verb, or what takes the place of one: "me = producer", "blue instead"."""
