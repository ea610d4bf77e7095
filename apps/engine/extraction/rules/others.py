"""German, Spanish, French and Japanese: the plainest phrases of each."""

from __future__ import annotations

from apps.engine.extraction.rules.rule import Rule, rule
from apps.engine.memory.categories import Category

_DE_MONTH = r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
_ES_MONTH = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
_FR_MONTH = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_ES_WEEKDAY = r"(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)"
_FR_WEEKDAY = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"

GERMAN: tuple[Rule, ...] = (
    rule(
        Category.PREFERENCES,
        "prefers",
        r"\bbitte\b.*\b(?:auf|keine?n?|nicht|immer|nur|duzen|siezen|kurz|ohne)\b|\bich (?:mag|möchte|will"
        r"|bevorzuge|hätte gern)\b",
        r"\bab (?:jetzt|sofort)\b|\bgrundsätzlich\b|\b(?:lieber|nie wieder)\b",
        negated=True,
    ),
    rule(
        Category.CASES,
        "solved",
        r"\b(?:lag (?:an|daran)|weil der|schuld war|ursache war|behoben|geholfen hat|hat geholfen|war alles gut"
        r"|ging es wieder|wieder (?:gut|da))\b",
        whole=True,
    ),
    rule(
        Category.PROFILE,
        "self",
        r"\b(?:ich bin|bin ich|^bin) (?:\w+ )?(?:von beruf|lehrer|ärzt|arzt|entwickl|student|ingenieur|vegetar"
        r"|vegan|\w+in an|\w+ (?:an|bei|in) )\w*",
        r"^bin \w+in\b|\bich (?:wohne|arbeite|lebe|heiße|studiere|spreche)\b|\bbin ich (?:wieder )?(?:auf|in"
        r"|bei)\b|\bziehe .* nach\b",
        r"\bmeine? (?:name|beruf|chef|frau|mann|muttersprache)\w* (?:ist|heißt)\b|\bwir sind seit\b"
        r"|\bseit \w+ auf\b|\b\d+ jahre alt\b",
    ),
    rule(
        Category.ENTITIES,
        "is",
        r"\b(?:heißt|nennt sich)\b|\bläuft (?:auf|als|in|bei|unter)\b|\bwir (?:nutzen|verwenden"
        r"|haben (?:uns )?(?:auf|für)|setzen)\b",
        r"\b(?:umgestellt|umgezogen|gewechselt|entschieden|geeinigt|vereinbart)\b|\b(?:liegt|steht|gehört|kostet"
        r"|beträgt) \w|\bmomentan auf\b",
        r"\b\d[\d.]* (?:euro|km|mitarbeiter|plätze|sitze|zimmer|personen|medien|leute|stück|zweigstellen)\b",
    ),
    rule(Category.EVENTS, "dated", rf"\b\d{{1,2}}\. ?{_DE_MONTH}\b"),
    rule(
        Category.PATTERNS,
        "schedule",
        r"\b(?:jeden|jede) \w+|\b(?:mon|diens|donners|frei|sams|sonn)tags\b|\bmittwochs\b",
    ),
)

SPANISH: tuple[Rule, ...] = (
    rule(
        Category.PREFERENCES,
        "prefers",
        r"\b(?:prefiero|quiero que|no quiero|me gusta(?:ría)? que|siempre|nunca)\b|\bpor favor\b.*\b(?:sin|no"
        r"|solo|siempre)\b|\bmejor sin\b",
        negated=True,
    ),
    rule(
        Category.CASES,
        "solved",
        r"\b(?:se acabó|se arregló|era por|lo (?:solucion|arregl)\w+|solucionado|resultó que|el problema era"
        r"|la culpa era|dolía por)\b",
        whole=True,
    ),
    rule(
        Category.PROFILE,
        "self",
        r"\b(?:tengo \d+ años|soy (?:un |una )?\w+|vivo en|trabajo (?:en|como|de)|me llamo|llevo (?:una|un|\d+)"
        r"|mi (?:objetivo|meta|trabajo) es"
        r"|el objetivo es)\b",
    ),
    rule(
        Category.ENTITIES,
        "is",
        r"\b(?:se llama|está en|usamos|utilizamos|hemos decidido|decidimos|cambiamos a|nos vamos (?:al|a)"
        r"|nos mudamos|me he apuntado)\b",
        r"\byo \w+o, \w+ \w+[ae]\b|\b\d+ (?:plazas|euros|€|personas|mesas|habitaciones)\b|\btodo (?:brasa|casero)\b",
    ),
    rule(Category.EVENTS, "dated", rf"\b(?:al|el|del) \d{{1,2}} de {_ES_MONTH}\b"),
    rule(
        Category.PATTERNS,
        "schedule",
        rf"\b(?:todos los|cada) \w+|\b{_ES_WEEKDAY}\b.*\by\b|\b(?:salgo|entreno|abrimos|cerramos) (?:a|los)\b"
        rf"|\ba las \w+ de la (?:mañana|tarde|noche)\b",
    ),
)

FRENCH: tuple[Rule, ...] = (
    rule(
        Category.PREFERENCES,
        "prefers",
        r"\bje (?:préfère|veux|voudrais)\b|\bon se (?:tutoie|vouvoie)\b|\bne touche pas\b|\b(?:merci"
        r"|s'il te plaît|s'il vous plaît) de\b|\btoujours\b",
        negated=True,
    ),
    rule(
        Category.CASES,
        "solved",
        r"\b(?:venait (?:du|de|d')|c'est réglé|la cause|c'était (?:à cause|dû)|résolu|le problème venait)\b",
        whole=True,
    ),
    rule(
        Category.ENTITIES,
        "is",
        r"s'appelle\b|\bj'habite\b|\bje (?:suis|travaille|vis|monte|m'appelle)\b|\bhébergé\w*\b",
        r"\b(?:on|nous) (?:utilis\w+|a (?:décidé|choisi)|avons (?:décidé|choisi)|sommes passés|est passés?)\b"
        r"|\b\w+ écrit et\b",
    ),
    rule(Category.EVENTS, "dated", rf"\b(?:le|au|du) \d{{1,2}} {_FR_MONTH}\b"),
    rule(
        Category.PATTERNS,
        "schedule",
        rf"\b(?:tous les|toutes les|chaque) \w+|\b\w+ sur deux\b|\ble {_FR_WEEKDAY}\b|\bdésormais\b",
    ),
)

JAPANESE: tuple[Rule, ...] = (
    rule(Category.PREFERENCES, "prefers", r"お願い|てほしい|が好き|は苦手|のほうがいい", negated=True),
    rule(Category.CASES, "solved", r"のは.*で、.*たら|原因は|たら(?:元に|治|直|解決)", whole=True),
    rule(
        Category.ENTITIES,
        "is",
        r"に住んで|がい(?:て|ます)|にいます|という名前|と申します|を使って|働いて|階で|向きです|だけ$|から$",
    ),
)

RULES: tuple[Rule, ...] = (*GERMAN, *SPANISH, *FRENCH, *JAPANESE)
