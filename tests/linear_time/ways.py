"""What the product does to a text on each way in, without a server: a name and a function of the text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from types import MappingProxyType
from typing import Any

from apps.agents.cleaning import cleaned, cleaned_excerpt, cleaned_input, cleaned_value
from apps.common.secrets.redaction import redacted_texts
from apps.engine.extraction.candidate import Candidate, Quote, Speaker, Utterance
from apps.engine.extraction.extract import Thresholds, extract
from apps.engine.extraction.grounding import Evidence, grounded
from apps.engine.extraction.own_words import Span
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.extraction.relational.signs import may_show_signs, signs_of
from apps.engine.extraction.sessions.overview import messages_overview
from apps.engine.extraction.slots import SlotReader
from apps.engine.extraction.titles import is_title_of, public_title
from apps.engine.language.event_dates import event_date
from apps.engine.language.excerpt import excerpt
from apps.engine.language.search_words.analysis import search_words
from apps.engine.language.shared_lines import is_contained, sentence_digests
from apps.engine.memory.addresses import slug
from apps.engine.memory.categories import Category
from apps.engine.memory.fact_reading import read_fact
from apps.engine.memory.ranking_features import read_question
from apps.engine.memory.search.intent import intent_by_rules
from apps.engine.memory.search.long_queries import searched_part
from apps.engine.memory.tiers import abstract, overview
from apps.engine.memory.tree import diff
from apps.engine.memory.trust import Source
from apps.engine.messages.agent_text import as_injected
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message, Role
from apps.engine.messages.tool_digest import files_in, result_digest, result_text, tool_title
from apps.engine.pack.key_messages import key_text
from apps.engine.policy import Level, Policy
from apps.engine.reading.attributes import ATTRIBUTES
from apps.engine.reading.chances import MessageRead, SpanRead
from apps.engine.reading.spans import MemorableSpan
from apps.engine.summary.digest import digest, digest_again
from apps.engine.summary.extractive import summarize
from apps.engine.summary.foreign_summary import compare
from apps.engine.summary.rolling_summary import Decision, RollingSummary
from apps.engine.tokens.estimate import estimate_message
from apps.engine.transcripts.prompts import without_inserted
from apps.transfer.formats.clean_text import clean
from continuity_client.hook.redaction import redacted_event
from continuity_client.hook.shortening import short_forms

_POLICY = Policy()
_OWN = RollingSummary(decisions=(Decision("Use a pool of 20 for Redis", "", ("1",)),))


def _said(text: str) -> Utterance:
    return Utterance("1", 0, Speaker.SELF, text)


def _message(text: str) -> Message:
    return Message("1", 0, Role.USER, text, len(text) // 4)


def _said_by_tool(text: str) -> Message:
    """Its result, in lines as long as a tool may write."""
    return Message("1", 0, Role.TOOL, text, len(text) // 4, name="run")


def _client_event(text: str) -> Any:
    event = {"prompt": text, "tool_input": {text: text}, "tool_response": [text, {"type": "text", "text": text}]}
    return redacted_event(next(short_forms(event)))


def _hook_tool(text: str) -> Any:
    value = cleaned_value({text: [text, {"type": "text", "text": text}]})
    return cleaned_input(value), tool_title("Run", value), files_in(value)


def _found(text: str) -> Any:
    """What is found in a message of which every part is memorable."""
    parts = parts_of([_said(text)])
    return extract(parts, [_all_of(part) for part in parts], Thresholds(0.5, 0.5))


def _all_of(part: Part) -> MessageRead:
    span = MemorableSpan(0, len(part.text), 0, 0, 1.0)
    chances = [one / 6 for one in range(6)]
    read = SpanRead(span, 1.0, 0.0, 0.0, chances, chances[:4], [0.0] * (1 + len(ATTRIBUTES)), "Ada", 0.9, 0.0)
    return MessageRead(1.0, chances[:4][::-1], "", "", [read])


def _claimed(text: str) -> Any:
    """What a model claims of a message, judged."""
    said = _said(text)
    quote = Quote("1", 0, Span(0, 0), text[:200])
    found = Candidate(Category.EVENTS, text[:200], quote, Source.QUOTED, "model", 0.9)
    return grounded(found, Evidence([said]))


IN_WEB: MappingProxyType[str, Callable[[str], Any]] = MappingProxyType(
    {
        "message": lambda text: (estimate_message(text), importance(text, Role.USER)),
        "hook_prompt": cleaned,
        "hook_tool_input": _hook_tool,
        "hook_tool_result": lambda text: result_digest(cleaned_excerpt(result_text({"stdout": text}))),
        "hook_instructions": sentence_digests,
        "session_start": lambda text: (is_contained(text, ()), as_injected(text, 9_500)),
        "title": lambda text: (public_title(text), is_title_of(text[:200], text)),
        "import_text": lambda text: clean(without_inserted(text)),
        "secret_in_two": lambda text: redacted_texts([text, text]),
        "search": lambda text: read_question(text, speakers=("ann",), asker=("bob",), today=date(2026, 11, 27)),
        "search_part": lambda text: search_words(searched_part(text)),
        "memory_words": lambda text: search_words(text[:20_000]),
        "search_intent": lambda text: (intent_by_rules(text), event_date(text)),
        "memory_tiers": lambda text: (abstract(text), overview(text)),
        "memory_name": slug,
        "memory_fact": lambda text: (read_fact(text).topic, SlotReader().read(text)),
        "memory_diff": lambda text: list(diff(text, text[::-1])),
        "pack": lambda text: (key_text(_message(text)), excerpt(text, "1", 2_000)),
        "client_event": _client_event,
    }
)
"""In the web process, and in the client's hooks."""

IN_WORKER: MappingProxyType[str, Callable[[str], Any]] = MappingProxyType(
    {
        "extraction": _found,
        "relational": lambda text: (may_show_signs(text), signs_of("Perfect, exactly like that!", text)),
        "grounding": _claimed,
        "summary": lambda text: summarize(_OWN, [_message(text)], Level.LIGHT, _POLICY),
        "summary_of_tool": lambda text: summarize(_OWN, [_said_by_tool(text)], Level.LIGHT, _POLICY),
        "segment": lambda text: digest_again([digest([_message(text)], 500, _POLICY)], 200),
        "archive": lambda text: messages_overview("Chat", [_message(text)] * 4, _POLICY),
        "loss_report": lambda text: compare(_OWN, text),
        "message_words": search_words,
        "model_transcript": lambda text: excerpt(redacted_texts([text])[0], "1", 2_000),
    }
)
"""In the workers."""
