"""German, Spanish, French and Japanese phrases about replies: the plainest of each."""

from __future__ import annotations

from apps.engine.extraction.relational.phrase import Phrase, phrase

_DE_END = r"(?=[\s.!?,]*$| bitte\b| zu mir\b)"

ANSWERS: tuple[Phrase, ...] = (
    phrase(
        "length",
        "short",
        r"(?:bitte )?(?:kurze|kürzere|knappe|knappere) antworten\b|antworte?(?:n sie)? (?:bitte )?(?:immer"
        r" )?(?:kurz|kürzer|knapp|knapper)\b"
        r"|(?:halte?n? )?(?:deine |ihre |die )?antworten (?:bitte )?(?:kurz|kürzer|knapp)\b|fass dich (?:bitte"
        r" )?kurz\b",
        r"respuestas (?:más )?(?:cortas|breves)\b|responde (?:siempre )?(?:de forma |más )?(?:breve(?:mente)?"
        r"|corto)\b|sé (?:más )?breve\b",
        r"(?:des )?réponses (?:plus )?(?:courtes|brèves|concises)\b|réponds? (?:plus )?(?:brièvement|court)\b|sois"
        r" (?:plus )?bref\b",
        r"(?:.{0,8})?短く(?:して|答えて|お願い)|(?:.{0,8})?(?:簡潔|手短)に(?:して|答えて|お願い)",
    ),
    phrase(
        "length",
        "long",
        r"(?:bitte )?(?:ausführliche|ausführlichere|längere) antworten\b|antworte?(?:n sie)? (?:bitte )?(?:immer"
        r" )?ausführlich(?:er)?\b",
        r"respuestas (?:más )?(?:largas|detalladas)\b",
        r"(?:des )?réponses (?:plus )?(?:longues|détaillées)\b",
        r"(?:.{0,8})?(?:もっと)?(?:詳しく|長く)(?:して|答えて|お願い)",
    ),
    phrase(
        "address",
        "informal",
        r"(?:und |du kannst mich |können sie mich |wir können uns |lass uns )?(?:bitte )?(?:mich )?duzen\b|(?:sag"
        r"|sagen sie) (?:bitte )?du\b"
        r"|per du\b|das du reicht\b",
        r"(?:puedes |por favor )?(?:tutéame|tutearme|trátame de tú|háblame de tú)\b",
        r"tutoie-moi\b|(?:on (?:peut )?se|tu peux me|vous pouvez me) tutoyer\b|on se tutoie\b",
        r"(?:.{0,6})?(?:敬語(?:は)?(?:いらない|不要|なし|使わない)|タメ口)",
    ),
    phrase(
        "address",
        "formal",
        r"(?:bitte )?(?:mich )?siezen\b|bleiben wir (?:bitte )?beim sie\b|per sie\b",
        r"(?:por favor )?(?:trátame|tráteme|háblame|hábleme) de usted\b",
        r"vouvoyez-moi\b|merci de me vouvoyer\b",
        r"(?:.{0,6})?敬語で(?:答え|お願い)",
    ),
    phrase(
        "language",
        "German",
        rf"(?:antworte?(?:n sie)? )?(?:bitte )?(?:immer )?auf deutsch{_DE_END}|ドイツ語で(?:答え|お願い)",
    ),
    phrase(
        "language",
        "English",
        rf"(?:antworte?(?:n sie)? )?(?:bitte )?(?:immer )?auf englisch{_DE_END}|英語で(?:答え|お願い)",
    ),
    phrase(
        "language",
        "Spanish",
        r"(?:responde(?:me)? |contesta )(?:siempre )?en español\b|en español,? por favor\b|スペイン語で(?:答え|お願い)",
    ),
    phrase(
        "language",
        "French",
        r"(?:réponds?|répondez)(?:-moi)? (?:toujours )?en français\b|en français,? s'il (?:te|vous) plaît\b",
    ),
    phrase("language", "Japanese", r"(?:.{0,4})?日本語で(?:答え|お願い|返)"),
    phrase(
        "name",
        "",
        r"(?:bitte )?nenn(?:e|en sie)? mich (?:bitte )?((?-i:[A-ZÄÖÜ][a-zäöüß'-]+))(?=[\s.!?,]*$)",
        r"(?:por favor )?ll[aá]m[ae]me ((?-i:[A-ZÁÉÍÓÚ][a-záéíóúñ'-]+))(?=[\s.!?,]*$)",
        r"appel(?:le|lez)-moi ((?-i:[A-ZÀ-Ý][a-zà-ÿ'-]+))(?=[\s.!?,]*$)",
    ),
    phrase(
        "apologies",
        "no",
        r"(?:hör auf|hören sie auf),? dich zu entschuldigen\b|entschuldige? dich (?:bitte )?nicht\b|keine"
        r" entschuldigungen\b",
        r"no te disculpes\b|deja de disculparte\b",
        r"(?:arrête de t'excuser|ne t'excuse pas|pas d'excuses)\b",
        r"(?:.{0,6})?謝らないで",
    ),
    phrase(
        "intro",
        "no",
        r"(?:ohne|keine?) (?:lange )?(?:einleitung|vorrede)(?:en)?\b|(?:lass|spar dir) die (?:einleitung|vorrede)\b",
        r"sin (?:introducci[oó]n|rodeos)\b|s[aá]ltate la introducci[oó]n\b",
        r"sans (?:introduction|préambule)\b|pas d'introduction\b",
        r"(?:.{0,4})?前置き(?:は|なし)(?:いらない|不要|で)?",
    ),
    phrase(
        "emoji",
        "no",
        r"(?:bitte )?keine emojis\b|ohne emojis\b|sin emojis\b|(?:pas d'|sans )(?:emojis|émojis)\b"
        r"|(?:.{0,3})?絵文字(?:は|なし)",
    ),
    phrase(
        "bullets",
        "yes",
        r"(?:bitte )?(?:in|als) stichpunkten?\b|en (?:viñetas|puntos),? por favor\b|(?:.{0,8})?箇条書きで",
    ),
)

WORKING: tuple[Phrase, ...] = (
    phrase(
        "code",
        "first",
        r"(?:zuerst|erst) (?:den |der )?code\b|primero el código\b|(?:d'abord le code|le code d'abord)\b"
        r"|(?:.{0,4})?コード(?:を|が)?(?:先|最初)",
    ),
    phrase("code", "only", r"nur (?:den )?code\b|solo el código\b|(?:juste|seulement) le code\b|(?:.{0,4})?コードだけ"),
    phrase(
        "options",
        "several",
        r"(?:gib|nenn|zeig) mir (?:mehrere|ein paar|verschiedene) (?:optionen|alternativen|möglichkeiten)\b",
        r"dame (?:varias|algunas) opciones\b",
        r"(?:donne|propose)-moi (?:plusieurs|quelques) options\b",
        r"(?:.{0,4})?選択肢を(?:いくつか|複数)",
    ),
    phrase(
        "options",
        "one",
        r"(?:gib|nenn) mir (?:nur|bitte nur) eine (?:empfehlung|option|lösung)\b|dame (?:solo )?una sola (?:opción"
        r"|recomendación)\b"
        r"|(?:donne|propose)-moi une seule (?:option|recommandation)\b",
    ),
)

FEEDBACK: tuple[Phrase, ...] = (
    phrase(
        "feedback_length",
        "long",
        r"(?:bitte )?(?:etwas |viel |noch )?kürzer(?:,? bitte)?(?=[\s.!?]*$)|(?:das (?:ist|war) )?(?:viel )?zu"
        r" (?:ausführlich|wortreich)\b",
        r"más (?:corto|breve)(?:,? por favor)?(?=[\s.!?]*$)|plus (?:court|bref)(?:,? s'il (?:te|vous)"
        r" plaît)?(?=[\s.!?]*$)",
        r"(?:.{0,6})?もっと短く|(?:.{0,6})?長すぎ",
        of_reply=True,
    ),
    phrase(
        "feedback_length",
        "long",
        r"(?:das (?:ist|war) )?(?:viel |etwas )?zu lang(?=[\s.!?]*$)|(?:es )?demasiado largo(?=[\s.!?]*$)|(?:c'est"
        r" )?(?:beaucoup )?trop long(?=[\s.!?]*$)",
        of_long_reply=True,
    ),
    phrase(
        "feedback_length",
        "short",
        r"(?:bitte )?(?:etwas )?(?:ausführlicher|mehr details)(?:,? bitte)?(?=[\s.!?]*$)|más detalles?(?:,? por"
        r" favor)?(?=[\s.!?]*$)"
        r"|plus de détails(?:,? s'il (?:te|vous) plaît)?(?=[\s.!?]*$)|(?:.{0,4})?もっと詳しく",
        of_reply=True,
    ),
)

PRAISE: tuple[Phrase, ...] = (
    phrase(
        "praised",
        "yes",
        r"(?:perfekt|super|toll|ja)?[\s,.!]*+genau so(?=[\s.!?,]*$| (?:bitte|weiter|will|mag))|(?:perfekt|super|toll"
        r"|ja)?[\s,.!]*+"
        r"genau das (?:wollte|brauchte|meinte) ich\b|(?:sehr )?(?:gute|tolle|hilfreiche|perfekte) (?:antwort"
        r"|erklärung)\b",
        r"(?:perfecto|genial|sí)?[\s,.!]*+(?:exactamente|justo) (?:así|lo que (?:necesitaba|quería|buscaba))\b"
        r"|(?:muy )?(?:buena|excelente) (?:respuesta|explicación)\b",
        r"(?:parfait|super|oui)?[\s,.!]*+(?:exactement (?:comme ça|ce que je (?:voulais|cherchais))|c'est exactement"
        r" ça)|(?:très )?(?:bonne|excellente) (?:réponse|explication)\b",
        r"(?:完璧(?:です)?。?)?まさに(?:これ|それ)(?:です|が)|(?:とても)?(?:分かりやすい|いい)(?:説明|回答)(?:です"
        r"|でした)",
        of_reply=True,
    ),
)
