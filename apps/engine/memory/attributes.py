"""Attributes of people and things: the words that name them, the kinds of their values, and how many hold at once.

The vocabulary is open: an attribute that is not here is compared by its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from apps.engine.language.similarity import stem, words
from apps.engine.memory.values.value import Kind


@dataclass(frozen=True, slots=True)
class Attribute:
    """`kinds` are those of its values, if they are known; `words` are the stems that speak of it."""

    name: str
    words: frozenset[str]
    kinds: frozenset[Kind]
    many: bool = False


_WHEN = (Kind.DATE, Kind.WEEKDAY, Kind.TIME)
_WHO = (Kind.NAME,)
_WHERE = (Kind.PLACE, Kind.NAME)
_AMOUNT = (Kind.MONEY, Kind.COUNT)
_TOOL = (Kind.PRODUCT, Kind.VERSION, Kind.NAME)
_ANY: tuple[Kind, ...] = ()

_PEOPLE: dict[str, tuple[tuple[Kind, ...], str]] = {
    "name": (_WHO, "name called named heiße llamo appelle"),
    "lives_in": (_WHERE, "live lives living flat apartment wohne lebe vivo habite j'habite 住"),
    "hometown": (_WHERE, "hometown grew born raised"),
    "employer": (_WHO, "employer company work works job arbeite trabajo travaille"),
    "job": (_ANY, "job profession occupation beruf profesión métier"),
    "age": ((Kind.COUNT,), "age old turned alt años ans"),
    "birthday": ((Kind.DATE,), "birthday geburtstag cumpleaños anniversaire"),
    "diet": ((Kind.DIET,), "diet vegetarian vegan pescatarian meat eat ernährung dieta"),
    "partner": (
        _WHO,
        "wife husband partner girlfriend boyfriend fiancé fiancée spouse frau mann marido mujer mari femme",
    ),
    "phone": (_ANY, "phone handy móvil téléphone"),
    "email": (_ANY, "email e-mail mail"),
    "height": ((Kind.COUNT,), "height tall größe"),
    "weight": ((Kind.COUNT,), "weight weigh gewicht peso poids"),
    "shoe_size": ((Kind.COUNT,), "shoe shoes boots size"),
    "commute": (_ANY, "commute arbeitsweg trayecto trajet"),
    "working_hours": (_ANY, "part-time full-time hours shift stelle teilzeit vollzeit jornada"),
    "language_level": ((Kind.LEVEL,), "level a1 a2 b1 b2 c1 c2"),
}
_PEOPLE_MANY: Mapping[str, tuple[tuple[Kind, ...], str]] = {
    "allergy": (_ANY, "allergic allergy intolerant intolerance allergie alergia allergique"),
    "pet": (_WHO, "dog cat rabbit hamster pet parrot hund katze perro gato chien chat 猫 犬"),
    "language": ((Kind.LANGUAGE,), "speak language tongue spreche sprache hablo idioma parle langue"),
    "child": (_WHO, "son daughter child children kid sohn tochter hijo hija fils fille"),
    "hobby": (_ANY, "hobby play plays"),
}
_ROLES: Mapping[str, str] = {
    "chef": "chef cook kitchen cooks koch küche cocina cuisine",
    "contractor": "contractor builder foreman mason carpenter handwerker albañil",
    "supervisor": "supervisor advisor adviser thesis doktorvater betreuer tutor",
    "manager": "manager boss lead head director chefin jefe jefa patron",
    "owner": "owner owns responsible follow-ups handles charge action verantwortlich responsable",
    "reviewer": "reviewer review approves signs approver",
    "interviewer": "interviewer interview pairing panel",
    "teacher": "teacher tutor instructor coach trainer lesson lessons lehrer profesor professeur",
    "doctor": "doctor gp physician hausarzt médico médecin",
    "dentist": "dentist zahnarzt dentista dentiste",
    "therapist": "therapist physio physiotherapist psychologist",
    "vet": "vet veterinarian tierarzt veterinario vétérinaire",
    "lawyer": "lawyer solicitor attorney anwalt abogado avocat",
    "accountant": "accountant bookkeeper accounts steuerberater contable comptable",
    "landlord": "landlord landlady vermieter casero propriétaire",
    "agent": "agent broker makler agente",
    "editor": "editor lektor redactor éditeur",
    "designer": "designer design artist art illustrator",
    "frontend": "frontend front-end",
    "backend": "backend back-end",
    "treasurer": "treasurer kassenwart tesorero trésorier",
    "photographer": "photographer fotograf fotógrafo photographe",
    "caterer": "caterer catering",
    "babysitter": "babysitter nanny childminder",
    "cleaner": "cleaner cleaning putzfrau",
    "contact": "contact reach ask ansprechpartner contacto",
    "host_person": "host presenter moderator",
    "speaker": "speaker keynote talk",
    "sponsor": "sponsor sponsors",
    "captain": "captain skipper",
    "conductor": "conductor choirmaster dirigent",
    "on_call": "on-call oncall pager rota",
    "protagonist": "protagonist detective hero heroine character narrator",
    "supplier": "supplier supplies delivers lieferant proveedor fournisseur comes",
}
_THINGS: dict[str, tuple[tuple[Kind, ...], str]] = {
    "deadline": (
        _WHEN,
        "deadline due submission submit hand-in until cutoff frist abgabe plazo entrega échéance délai 締切",
    ),
    "launch": (
        _WHEN,
        """launch launches live go-live opening open opens doors release releases released ship ships premiere kick-off
        start starts eröffnung eröffnen öffnen start abre abrimos apertura inauguración ouvre ouverture lancement""",
    ),
    "event_date": (
        _WHEN,
        """wedding party concert race marathon exam interview conference trip flight fly land lands arrive arrives move
        moving appointment viewing delivery performance hochzeit prüfung termin boda examen cita mariage""",
    ),
    "meeting": (
        (*_WHEN, Kind.FREQUENCY),
        """meeting meet meets standup stand-up sync call lesson lessons class rehearsal rehearsals practice session
        training retro review treffen besprechung probe unterricht reunión clase ensayo réunion cours répétition""",
    ),
    "schedule": (
        (*_WHEN, Kind.FREQUENCY),
        """episode episodes newsletter newsletters build builds tag deploy deploys release releases publish
        publishes drop drops run runs backup backups cron bins collection shift shifts sendung folge erscheint
        publicamos épisode""",
    ),
    "opening_hours": (_WHEN, "opening hours close closes closed öffnungszeiten horario horaires"),
    "venue": (_WHERE, "venue hall location place room ballroom church saal ort lugar sala lieu salle"),
    "price": (
        (Kind.MONEY, Kind.COUNT),
        "price cost costs ticket tickets fee fees charge charges entry preis eintritt kostet precio entrada prix",
    ),
    "rent": ((Kind.MONEY, Kind.COUNT), "rent miete alquiler loyer"),
    "salary": ((Kind.MONEY, Kind.COUNT), "salary pay band wage gehalt sueldo salaire"),
    "budget": ((Kind.MONEY, Kind.COUNT), "budget spend afford presupuesto"),
    "deposit": ((Kind.SHARE, Kind.MONEY, Kind.COUNT), "deposit anzahlung kaution fianza acompte caution"),
    "discount": ((Kind.SHARE, Kind.MONEY), "discount rabatt descuento remise"),
    "version": ((Kind.VERSION,), "version build against"),
    "database": (_TOOL, "database db data datenbank base warehouse"),
    "framework": (_TOOL, "framework stack"),
    "hosting": (_TOOL, "host hosts hosted hosting server box deploy deployed"),
    "till": (_TOOL, "till pos checkout kasse caja caisse"),
    "tool": (_TOOL, "tool editor ide software app"),
    "size": ((Kind.COUNT,), "size area fleet team headcount plot größe tamaño taille covers capacity"),
    "guests": ((Kind.COUNT,), "guests guest people attendees participants heads gäste invitados invités"),
    "limit": ((Kind.COUNT, Kind.MONEY, Kind.TIME), "limit max maximum cap most timeout quota until internet screen"),
    "color": ((Kind.COLOR,), "color colour paint painted fronts farbe pintura couleur walls"),
    "channel": ((Kind.CHANNEL, Kind.PRODUCT), "channel alert alerts page pages notification notifications post"),
    "address": (_WHERE, "address deliver delivery parcel parcels return returns pickup leave send adresse dirección"),
    "title": (_ANY, "title working titel título titre"),
    "destination": (_WHERE, "destination stay hotel fly trip reiseziel destino"),
    "encoding": ((Kind.PRODUCT,), "encoding charset"),
    "narration": ((Kind.COUNT,), "person tense narration narrated"),
    "countries": (_WHERE, "country countries market markets region"),
    "menu": (_ANY, "menu dish dishes course cake"),
}


def _attribute(name: str, kinds: tuple[Kind, ...], listed: str, *, many: bool = False) -> Attribute:
    spoken = {*listed.split(), *name.split("_")} if kinds is not _WHO else set(listed.split())
    return Attribute(name, frozenset(map(stem, spoken)), frozenset(kinds), many)


ATTRIBUTES: Mapping[str, Attribute] = {
    **{name: _attribute(name, kinds, listed) for name, (kinds, listed) in (_PEOPLE | _THINGS).items()},
    **{name: _attribute(name, kinds, listed, many=True) for name, (kinds, listed) in _PEOPLE_MANY.items()},
    **{name: _attribute(name, _WHO, listed) for name, listed in _ROLES.items()},
}
_SYNONYMS = {
    "residence": "lives_in",
    "home": "lives_in",
    "city": "lives_in",
    "location": "lives_in",
    "works_at": "employer",
    "company": "employer",
    "occupation": "job",
    "profession": "job",
    "role": "job",
    "uses_database": "database",
    "go_live_date": "launch",
    "launch_date": "launch",
    "opening_date": "launch",
    "release_date": "launch",
    "due_date": "deadline",
    "submission_deadline": "deadline",
    "colour": "color",
    "spouse": "partner",
    "wife": "partner",
    "husband": "partner",
    "allergies": "allergy",
    "pets": "pet",
    "languages": "language",
    "speaks": "language",
    "children": "child",
    "boss": "manager",
    "host": "hosting",
    "hosting_platform": "hosting",
    "ticket_price": "price",
    "cost": "price",
}


def canonical(name: str) -> str:
    """The one name of an attribute, whatever it is called.

    >>> canonical("Works at"), canonical("favorite-tea")
    ('employer', 'favorite_tea')
    """
    plain = "_".join(words(name.replace("_", " ").replace("-", " ")))
    return _SYNONYMS.get(plain, plain)


def is_known(name: str) -> bool:
    """Whether the vocabulary has the attribute.

    >>> is_known("works at"), is_known("favorite tea")
    (True, False)
    """
    return canonical(name) in ATTRIBUTES


def has_many(name: str) -> bool:
    """Whether the attribute usually has several values at once.

    >>> has_many("allergies"), has_many("employer")
    (True, False)
    """
    known = ATTRIBUTES.get(canonical(name))
    return known is not None and known.many


@lru_cache(maxsize=4_096)
def attributes_of(text: str) -> frozenset[str]:
    """The attributes that the words of a statement speak of.

    >>> sorted(attributes_of("My chef is Beatriz")), sorted(attributes_of("Dario runs the kitchen"))
    (['chef'], ['chef', 'schedule'])
    """
    found: set[str] = set()
    for word in words(text):
        found |= _NAMED_BY.get(stem(word), frozenset())
    return frozenset(found)


def _by_word() -> dict[str, set[str]]:
    by_word: dict[str, set[str]] = {}
    for one in ATTRIBUTES.values():
        for word in one.words:
            by_word.setdefault(word, set()).add(one.name)
    return by_word


_NAMED_BY = _by_word()
