"""The phrases of the five kinds of signals, in five languages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.memory.categories import Category


@dataclass(frozen=True, slots=True)
class Signal:
    """A kind of signal. Without a `category` the words around it are remembered, whatever they are about; `negated`: it
    may say what is not done."""

    name: str
    category: Category | None
    pattern: re.Pattern[str]
    negated: bool = False


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_LEAD = (
    r"^(?:(?:and|but|so|ok|okay|well|also|btw|oh|please|pls|important|note|from now on"
    r"|und|aber|bitte|ab jetzt|y|pero|por favor|et|mais)\b[,.:!]? )*"
)
# "Remember to …" is an errand, and "remember when …" a question.
_NOT_ERRANDS = r"(?! (?:to|when|how|the time|me|us|zu|an|de)\b)"

ASKS_TO_REMEMBER = _any(
    rf"{_LEAD}(?:remember|(?:do not|don'?t|never) forget|keep in mind){_NOT_ERRANDS}(?: (?:this|that|it)\b)*",
    r"[,;:!–—-] *(?:please )?(?:remember (?:this|that|it)|(?:do not|don'?t) forget(?: (?:this|that|it))?)"
    r"(?:,? please)?\W*$",
    rf"{_LEAD}(?:merk(?:e|t)? (?:dir|euch)(?: das)?|vergiss(?: das)? nicht{_NOT_ERRANDS}"
    r"|denk(?:e|t)? d(?:a|ar)?an)(?:,? dass)?\b",
    rf"{_LEAD}(?:recuerd[ae]|no (?:te )?olvid(?:es|e)){_NOT_ERRANDS}(?: (?:esto|que)\b)*",
    rf"{_LEAD}(?:souviens-toi|rappelle-toi|retiens|n'oublie pas){_NOT_ERRANDS}(?: (?:que|ça|ceci|cela)\b)*",
    r"(?:ことを|を)?(?:覚えておいて|忘れないで)(?:ください|ね)?",
)

SIGNALS = (
    Signal("remember", None, ASKS_TO_REMEMBER, negated=True),
    Signal(
        "always",
        Category.PREFERENCES,
        _any(
            rf"{_LEAD}(?:always|never) (?:use|do|write|answer|reply|call|add|put|run|push|commit|send)\b",
            rf"{_LEAD}(?:verwend\w*|benutz\w*|nutz\w*|nimm) (?:immer|nie(?:mals)?)\b",
            rf"{_LEAD}(?:usa|utiliza|use) siempre\b|{_LEAD}nunca (?:uses|utilices|hagas)\b",
            rf"{_LEAD}(?:utilise[sz]?|emploie) toujours\b|{_LEAD}n(?:'utilise[sz]?|e fai(?:s|tes)) jamais\b",
            r"(?:必ず|いつも|常に).{0,30}(?:使って|して)|(?:絶対に|決して).{0,30}(?:使わない|しない)で",
        ),
        negated=True,
    ),
    Signal(
        "decided",
        Category.EVENTS,
        _any(
            r"\bwe(?:'ve| have)? (?:finally |just |now |also |already )*decided\b|\barchitect(?:ure|ural) decision\b",
            r"\bwir haben (?:uns )?(?:\w+ )?(?:entschieden|beschlossen)\b|\barchitekturentscheidung\b",
            r"\b(?:hemos decidido|decidimos)\b|\bdecisión de arquitectura\b",
            r"\b(?:on a|nous avons) décidé\b|\bdécision d'architecture\b",
            r"ことに(?:決め|決まり|し)ました|設計(?:上の)?決定",
        ),
        negated=True,
    ),
    Signal(
        "pattern",
        Category.PATTERNS,
        _any(
            r"\bthis pattern\b|\bthe trick is\b|\bdieses muster\b|\bder trick ist\b|\beste patrón\b|\bel truco es\b",
            r"\bce (?:patron|motif)\b|\bl'astuce,? (?:c'est|est)\b|このパターン|コツは",
        ),
    ),
    Signal(
        "cause",
        Category.CASES,
        _any(
            r"\bbug was\b|\broot cause\b|\b(?:fehler|bug) war\b|\b(?:grund)?ursache war\b",
            r"\b(?:bug|error|fallo) (?:era|fue)\b|\bcausa raíz\b|\bbug (?:était|venait)\b",
            r"\bcause (?:racine|première)\b|(?:バグ|不具合|原因)は",
        ),
    ),
)

# Looked for in every message before anything else: substrings are several times faster than an expression.
HINTS: tuple[str, ...] = (
    *("remember", "forget", "keep in mind", "always", "never", "decided", "architect", "this pattern", "trick is"),
    *("bug was", "root cause"),
    *(
        "merk",
        "vergiss",
        "denk",
        "immer",
        "niemals",
        " nie ",
        "entschieden",
        "beschlossen",
        "dieses muster",
        "trick ist",
    ),
    *("fehler war", "bug war", "ursache war"),
    *(
        "recuerd",
        "olvid",
        "siempre",
        "nunca",
        "decidido",
        "decidimos",
        "decisión",
        "este patrón",
        "truco es",
        "bug era",
    ),
    *("bug fue", "error era", "error fue", "fallo era", "fallo fue", "causa raíz"),
    *("souviens", "rappelle", "retiens", "oublie", "toujours", "jamais", "décidé", "décision", "ce patron", "ce motif"),
    *("astuce", "bug était", "bug venait", "cause racine", "cause première"),
    *("覚えて", "忘れない", "必ず", "いつも", "常に", "絶対に", "決して", "ことに", "決定", "パターン", "コツは"),
    *("バグは", "不具合は", "原因は"),
)
