"""English phrases about replies. What could as well be about a text that is being written is no phrase here."""

from __future__ import annotations

from apps.engine.extraction.relational.phrase import Phrase, phrase

_REPLIES = r"(?:(?:your|the|all|all your|any|future) )?(?:answers?|replies|reply|responses?|explanations?|messages?)"
_REPLY = r"(?:that|this|it|(?:(?:that|this|your|the)(?: last| previous)?) (?:answer|reply|response|explanation|one))"
_IS = r"(?:'s|s| is| was)?"
_VERY = r"(?:(?:a bit|a little|way|far|much|still|really|just|so) )*"
_MAKE = r"(?:(?:keep|make|give|write|want|prefer|like|use|have) )?(?:me )?"
_SHORT = r"(?:short|shorter|brief|briefer|concise|more concise|terse|crisp|to the point|succinct)"
_LONG = r"(?:long|longer|detailed|more detailed|in-depth|thorough|more thorough|exhaustive|comprehensive)"
_END = r"(?=[\s.!?,;)]*$| please\b| from\b| for\b| next\b| when\b| with\b| unless\b| always\b| in (?:general|future)\b)"
_SKIP = r"(?:skip|drop|leave out|omit|no|no more|without|spare me|enough with|cut|ditch|stop with)"
_THE = r"(?:(?:the|all the|your|any|all|that|those) )?"
_NOT = r"(?:don't|dont|do not|never|no need to|you don't have to|please don't)"
_LANGUAGE = (
    r"((?-i:English|German|French|Spanish|Italian|Portuguese|Dutch|Japanese|Polish|Russian|Turkish|Chinese|Korean"
    r"|Swedish"
    r"|Danish|Norwegian|Finnish|Czech|Greek|Ukrainian|Hindi|Arabic|Hebrew|Catalan|Welsh))"
)
_SPEAK = r"(?:answer|reply|respond|talk|speak|write back|continue|explain things)(?: (?:to )?me)?"

ANSWERS: tuple[Phrase, ...] = (
    phrase(
        "length",
        "short",
        rf"{_MAKE}{_REPLIES} (?:as )?{_SHORT}\b",
        rf"{_MAKE}{_SHORT},? (?:and \w+ )?{_REPLIES}\b",
        r"(?:answer|reply|respond|explain things) (?:\w+ly )?(?:briefly|concisely|in (?:short|brief)|in a few"
        r" words)\b",
        r"(?:answer|reply|respond)(?: me)? (?:in|with) (?:no more than |at most |max |just |only )?"
        r"(?:one|two|three|a couple of|1|2|3) (?:short )?(?:sentences?|lines?|paragraphs?|words?)\b",
        rf"be (?:more )?(?:brief|concise|terse|succinct){_END}",
        r"(?:one|two|three|1|2|3) (?:lines?|sentences?|paragraphs?)(?:,)? (?:tops|max|at most|maximum)\b",
        r"short answers? (?:first|only|please)\b",
    ),
    phrase("length", "short", r"keep (?:it|this|things|everything) (?:short|brief|concise)\b", of_chat=True),
    phrase(
        "length",
        "long",
        rf"{_MAKE}{_REPLIES} (?:as )?{_LONG}\b",
        rf"{_MAKE}{_LONG} {_REPLIES}\b",
        r"(?:answer|reply|respond|explain things) (?:at length|in (?:more |full |great )?detail|thoroughly)\b",
        rf"be (?:more )?(?:thorough|detailed|exhaustive){_END}",
    ),
    phrase(
        "intro",
        "no",
        rf"{_SKIP} {_THE}(?:intros?|introductions?|preambles?|pleasantries|small ?talk|throat-clearing)\b",
    ),
    phrase("intro", "no", rf"{_NOT} start (?:every|each|your|the) (?:answer|reply|response)s? with\b"),
    phrase(
        "closing",
        "no",
        rf"{_SKIP} {_THE}(?:closing|outro|summary at the end|recap at the end|offers? at the end|follow-up offers?)\b",
        rf"{_NOT} (?:end|finish) (?:every|each|your|the) (?:answer|reply|response|message)s? with\b",
    ),
    phrase(
        "apologies",
        "no",
        rf"{_NOT} (?:keep )?apologi[sz](?:e|ing)\b",
        r"(?:stop|quit) apologi[sz]ing\b",
        rf"{_SKIP} {_THE}apolog(?:y|ies)\b",
        rf"{_NOT} (?:say|be) sorry\b",
    ),
    phrase(
        "flattery",
        "no",
        rf"{_SKIP} {_THE}(?:flattery|compliments|praise|pep ?talks?|cheerleading|encouragement|motivational talk)\b",
        rf"{_NOT} (?:flatter|praise|compliment|encourage) me\b|(?:stop|quit) (?:flattering|praising) me\b",
    ),
    phrase(
        "repetition",
        "no",
        rf"{_NOT} repeat (?:my question|the question|yourself|what i (?:said|wrote)|everything)\b",
        r"(?:stop|quit) repeating (?:my question|the question|yourself|what i (?:said|wrote))\b",
    ),
    phrase(
        "name",
        "",
        r"(?:you (?:can|may) )?(?:call|address) me(?: as)? ((?-i:[A-Z][a-z'-]+(?: [A-Z][a-z'-]+)?))(?=[\s.!?,;)]*$)",
    ),
    phrase(
        "language",
        "",
        rf"{_SPEAK} (?:only |always )?in {_LANGUAGE}\b(?! to\b)",
        rf"{_REPLIES} in {_LANGUAGE}\b",
        rf"(?:always |only )?in {_LANGUAGE}(?:,)? please\b",
        rf"{_LANGUAGE},? please(?=[\s.!?]*$)",
    ),
    phrase("tone", "formal", rf"(?:use|keep|prefer) a (?:more )?formal tone\b|be (?:more )?formal{_END}"),
    phrase(
        "tone",
        "informal",
        rf"(?:use|keep|prefer) an? (?:more )?(?:casual|informal|relaxed) tone\b|be (?:more )?(?:casual|informal){_END}"
        rf"|{_NOT} be so formal\b",
    ),
    phrase(
        "honesty",
        "direct",
        rf"be (?:more )?(?:direct|blunt|brutally honest|frank){_END}|{_NOT} sugar-?coat\b|{_NOT} soften\b",
    ),
    phrase("honesty", "gentle", rf"be (?:more )?(?:gentle|kind|gentler){_END}"),
    phrase(
        "words",
        "plain",
        rf"{_SKIP} {_THE}jargon\b|(?:explain|answer|reply)(?: (?:me|it|things|this|everything))? (?:in (?:plain"
        rf"|simple) (?:words|terms|english)"
        r"|like i'?m (?:five|5|a beginner))\b|(?:use )?(?:plain|simple) (?:words|language|english)(?:,)? please\b",
    ),
    phrase(
        "words",
        "technical",
        r"(?:you can |feel free to )(?:be|get) (?:more )?technical\b|use (?:the )?technical terms\b",
    ),
    phrase(
        "bullets",
        "yes",
        r"(?:use|give me|prefer|want|like) (?:more )?(?:bullet points|bullets|bulleted lists)\b"
        rf"|(?:answer|reply|{_REPLIES}) (?:in|as|with) (?:bullet points|bullets)\b|bullet points(?:,)? please\b",
    ),
    phrase("bullets", "no", rf"(?:{_SKIP}|{_NOT} use) {_THE}(?:bullet points|bullets|bulleted lists)\b"),
    phrase(
        "tables", "yes", r"(?:i )?(?:prefer|want|like|use) (?:just |only )?(?:a )?tables?\b(?! (?:of|for|in|with|from))"
    ),
    phrase("tables", "no", rf"(?:{_SKIP}|{_NOT} use) {_THE}tables\b(?! (?:of|for|in|with|from))"),
    phrase(
        "markup",
        "no",
        rf"(?:{_SKIP}|{_NOT} use) {_THE}(?:markdown|markup|bold|headings|headers)\b"
        r"|(?:answers?|replies|responses?|answer|reply|use) (?:only )?(?:in )?plain text\b|in plain text(?:,?"
        r" please)?(?=[\s.!?]*$)",
    ),
    phrase("markup", "yes", r"(?:use|prefer|want) (?:markdown|headings|formatted text)\b"),
    phrase("emoji", "no", rf"(?:{_SKIP}|{_NOT} use|stop using) {_THE}emojis?\b"),
    phrase("emoji", "yes", r"(?:use|add|like) (?:more |some )?emojis?\b"),
    phrase(
        "units",
        "metric",
        r"(?:use |give me |in |prefer )?metric(?: units?)?,? please\b|use (?:the )?metric\b|always metric\b",
    ),
    phrase(
        "units", "imperial", r"(?:use |give me |in |prefer )?imperial(?: units?)?,? please\b|use (?:the )?imperial\b"
    ),
    phrase(
        "order",
        "answer",
        r"(?:give me |start with |put |lead with |begin with )?(?:the |a )?(?:short )?(?:answer|conclusion|bottom"
        r" line|tl;?dr"
        r"|result)s? first\b|(?:start|lead|begin) with the (?:answer|conclusion|bottom line|tl;?dr|result)\b",
    ),
    phrase(
        "links",
        "yes",
        r"(?:always )?(?:cite|give|link|add|include)(?: me)? (?:your |the )?sources\b(?=[\s.!?,]*$| for| with| please)",
    ),
)

WORKING: tuple[Phrase, ...] = (
    phrase("code", "first", r"(?:show |give )?(?:me )?(?:the )?code first\b|(?:start|lead|begin) with the code\b"),
    phrase(
        "code",
        "only",
        r"just give me the code\b|(?:give me |show me )?(?:just|only) the code\b|code only\b"
        rf"|(?:{_SKIP}|{_NOT} give me|{_NOT} write) {_THE}explanations?(?=[\s.!?,]*$| please| and just| just)",
    ),
    phrase(
        "code",
        "explained",
        r"explain (?:it |first )?before (?:the|showing|you show|writing|any) (?:me )?(?:the )?code\b",
    ),
    phrase(
        "options",
        "one",
        r"(?:just )?(?:pick|choose|recommend|give me) (?:just |only )?(?:one|a single (?:option|answer"
        r"|recommendation))\b"
        r"(?! (?:more|of (?:the|these|those|my|our)|example|for|with|that|last|file|line|sentence|word|paragraph))"
        rf"|{_NOT} (?:give|list|offer)(?: me)? (?:so many |all the |several |many )?(?:options|alternatives)\b"
        r"|one recommendation,? not\b",
    ),
    phrase(
        "options",
        "several",
        r"(?:give|show|offer)(?: me)? options\b(?! (?:for|of|to|in)\b)|(?:give|show|offer|list)(?: me)? (?:some"
        r"|several|a few|two or three|a couple of|multiple|different|two|three)"
        r" (?:options|alternatives)\b(?! (?:for|of|to name|in the))",
    ),
    phrase(
        "questions",
        "first",
        r"(?:always )?ask(?: me)?(?: first)? before (?:you )?(?:start|begin|writ|chang|mak|do|edit|cod|delet|run)\w*\b"
        r"|ask me first\b|ask (?:me )?(?:clarifying )?questions first\b",
    ),
    phrase(
        "questions",
        "none",
        rf"{_NOT} ask (?:me )?(?:so many |any |back|too many |for (?:permission|confirmation)|before)\b",
    ),
    phrase("steps", "one", r"(?:just |only )?one (?:step|thing|question) at a time\b|(?:go )?step by step,? please\b"),
    phrase("steps", "all", r"(?:give me |show me )?(?:all|everything)(?: the steps)? (?:at once|in one go)\b"),
    phrase(
        "solutions",
        "hints",
        rf"(?:{_NOT} (?:give|tell|show) me the (?:solution|answer))\b|(?:just |only )(?:give me )?(?:a hint|hints)\b"
        r"|(?:point at|point out|show me) what'?s wrong and (?:leave|let)\b|leave the (?:re)?writing to me\b",
    ),
    phrase("solutions", "full", r"(?:just )?give me the (?:full|whole|complete) (?:solution|answer)\b"),
)

FEEDBACK: tuple[Phrase, ...] = (
    phrase(
        "feedback_length",
        "long",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:wordy|verbose|lengthy)\b|{_REPLY}{_IS} {_VERY}(?:wordy|verbose)\b",
        r"(?:(?:much|a bit|a little|even|still) )?(?:shorter|briefer|more concise)(?:,? please)?(?=[\s.!?]*$)",
        r"(?:make|keep) (?:it|that|this) (?:much |a bit |a lot |even )?(?:shorter|briefer|more concise)(?=[\s.!?]*$"
        r"|,? please)",
        r"(?:your|that|this|the) (?:answer|reply|response|explanation|message)s? (?:is|was|are|were|'s) (?:way |far"
        r" |much )?too long\b",
        of_reply=True,
    ),
    phrase(
        "feedback_length",
        "long",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:long|much text|much)(?=[\s.!?]*$)",
        of_long_reply=True,
    ),
    phrase(
        "feedback_length",
        "short",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:short|brief|terse)(?=[\s.!?]*$)",
        r"(?:(?:a bit|a little|much|some) )?(?:more detail|more details|more detailed|longer)(?:,?"
        r" please)?(?=[\s.!?]*$)",
        of_reply=True,
    ),
    phrase(
        "feedback_level",
        "technical",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:technical|complicated|complex)(?=[\s.!?]*$| for me)|too much jargon\b",
        of_reply=True,
    ),
    phrase(
        "feedback_level",
        "simple",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:basic|simplistic|simple)(?=[\s.!?]*$| for me)",
        of_reply=True,
    ),
    phrase(
        "feedback_tone",
        "formal",
        rf"(?:{_REPLY}{_IS} |you sound |sounds )?{_VERY}too (?:formal|stiff)(?=[\s.!?]*$)",
        of_reply=True,
    ),
    phrase(
        "feedback_tone",
        "informal",
        rf"(?:{_REPLY}{_IS} |you sound |sounds )?{_VERY}too (?:casual|chatty|informal)(?=[\s.!?]*$)",
        of_reply=True,
    ),
    phrase(
        "feedback_precision",
        "vague",
        rf"(?:{_REPLY}{_IS} )?{_VERY}too (?:vague|generic|general)(?=[\s.!?]*$)",
        of_reply=True,
    ),
)

PRAISE: tuple[Phrase, ...] = (
    phrase(
        "praised",
        "yes",
        r"(?:(?:perfect|great|excellent|brilliant|yes|awesome|lovely|love it|nice|wonderful)[\s,.!:–—-]+)*"
        r"(?:(?:that's|thats|that is|that was|this is|it's)\s+)?exactly "
        r"(?:like (?:that|this)|what i (?:needed|wanted|meant|was looking for|asked for)|how i (?:like|want(?:ed)?)"
        r" it)\b",
        r"(?:that's|that was|that is|this is|what) an? (?:really |very )?"
        r"(?:great|excellent|perfect|brilliant|fantastic|wonderful|helpful|clear|good) (?:answer|explanation"
        r"|summary|reply|response)\b",
        r"(?:great|excellent|perfect|brilliant|fantastic|very good|super clear|really clear|very clear|very helpful) "
        r"(?:answer|explanation|summary|reply|response)\b",
        r"(?:please )?(?:keep (?:it|them|your answers|the answers|answering|replying) (?:exactly )?(?:like (?:this"
        r"|that)|this way)"
        r"|(?:always )?(?:answer|reply) like (?:this|that)|more like (?:this|that))\b",
        r"i (?:really )?(?:like|love) (?:how|the way) you (?:answer|explain|wrote|write|put|structure|broke|laid"
        r"|format)\w*\b",
        r"i (?:really )?(?:like|love) (?:this|that|your) (?:format|style|tone|structure|answer|explanation)\b",
        of_reply=True,
    ),
)
