"""``jeto-mine verify`` and ``agreement``: people's labels, how far they agree, what follows."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jeto_bench.encode import records_to_jsonl, records_to_parquet
from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.load import load_records
from jeto_bench.records import EtipRecord, Tier
from jeto_evaluate.cli.choice import chosen_records
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.reports.phrases import safe_text
from jeto_evaluate.run.interrupts import stop_on_signals
from jeto_evaluate.statistics.intervals import Rate
from jeto_mine.cli.options import plain_console
from jeto_mine.verification.agreement import Agreement, agreement
from jeto_mine.verification.decide import apply_decisions
from jeto_mine.verification.labels import read_labels
from jeto_mine.verification.model import check_annotator
from jeto_mine.verification.server import LOOPBACK, Site, open_server
from jeto_mine.verification.terminal import label_in_terminal

__all__ = ["agreement_command", "verify"]


def verify(
    records: Annotated[Path, typer.Argument(help="JSONL or Parquet file of the records.")],
    *,
    labels: Annotated[Path, typer.Option(help="JSONL file that labels are added to.")],
    annotator: Annotated[str, typer.Option(help="Your id, one word, the same each time.")],
    only: Annotated[
        list[str] | None, typer.Option("--instance", "-i", help="Only this one; repeatable.")
    ] = None,
    identified: Annotated[
        bool, typer.Option("--identified", help="Also records that are not executable.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Ask here, not on a page in a browser.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the page; 0: any.")] = 0,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Show each record's issue, diff and measurements, and ask whether it is an ETIP.

    Two annotators label each record without seeing the other's label; where they disagree, a third
    one does. The page is served on this machine only and asks for nothing from elsewhere.
    """
    check_annotator(annotator)
    chosen = tuple(
        item
        for item in chosen_records(load_records(path=records), only)
        if identified or item.tier is not Tier.IDENTIFIED
    )
    if not chosen:
        raise UsageError(f"{records} has no executable record", advice="Give --identified.")
    read_labels(labels)
    if terminal:
        console = Console(highlight=False)
        saved = label_in_terminal(chosen, labels, annotator, console=console, ask=input)
        typer.echo(f"{saved} labels added to {labels}")
        return
    _serve(Site(records=chosen, labels=labels, annotator=annotator), port, browser=browser)


def _serve(site: Site, port: int, *, browser: bool) -> None:
    with open_server(site, port) as server:
        address = f"http://{LOOPBACK}:{server.server_address[1]}{site.root}"
        serving = threading.Thread(target=server.serve_forever)
        stop = threading.Event()
        # Not by KeyboardInterrupt: a shell lets its background commands ignore that signal.
        with stop_on_signals(stop):
            serving.start()
            plain_console().print(f"Open {address}\nStop with Ctrl-C.")
            if browser:
                webbrowser.open(address)
            stop.wait()
        server.shutdown()
        serving.join()
        typer.echo(f"\nLabels are in {site.labels}")


def agreement_command(
    labels: Annotated[Path, typer.Argument(help="File that `verify` wrote.")],
    *,
    records: Annotated[
        Path | None, typer.Option(help="Records that the decisions are written into.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Where they go: .parquet, else JSONL.")
    ] = None,
) -> None:
    """Show how far annotators agree; with --records and --output, write the decisions into records.

    Intervals are of 95 %: Wilson's for rates, the large-sample one for Cohen's kappa.
    """
    if (records is None) != (output is None):
        raise UsageError("--records and --output belong together")
    given = read_labels(labels)
    if not given:
        raise UsageError(f"{labels} has no labels", advice="Run jeto-mine verify first.")
    table_console().print(_table(agreement(given)))
    if records is None or output is None:
        return
    decided = apply_decisions(load_records(path=records), given)
    write_atomically(output, _encoded(decided, output))
    verified = sum(item.tier is Tier.VERIFIED for item in decided)
    typer.echo(f"{output}: {len(decided)} records, {verified} verified")


def _encoded(records: tuple[EtipRecord, ...], path: Path) -> bytes:
    if path.suffix == ".parquet":
        return records_to_parquet(records)
    return records_to_jsonl(records)


def _table(found: Agreement) -> Table:
    table = Table("figure", "value", "95 % interval", "of")
    table.add_row("both first labels agree", *_rate(found.pairs))
    kappa = found.kappa
    if kappa is None:
        table.add_row("Cohen's kappa", "undefined", "", str(found.pairs.of))
    else:
        table.add_row(
            "Cohen's kappa",
            f"{kappa.value:.2f}",
            "undefined"
            if kappa.low is None or kappa.high is None
            else f"{kappa.low:.2f} to {kappa.high:.2f}",
            str(kappa.records),
        )
    table.add_row("precision: decided to be ETIPs", *_rate(found.precision))
    for one in found.annotators:
        table.add_row(safe_text(f"{one.annotator}: accuracy"), *_rate(one.accuracy))
        table.add_row(safe_text(f"{one.annotator}: precision"), *_rate(one.precision))
        table.add_row(safe_text(f"{one.annotator}: recall"), *_rate(one.recall))
    table.caption = (
        f"{found.records} records, {found.ties} ties, {found.undecided} without a decision; an"
        " annotator's own label has a part in the decision"
    )
    return table


def _rate(rate: Rate) -> tuple[str, str, str]:
    if rate.value is None or rate.interval is None:
        return "undefined", "", "0"
    ends = f"{rate.interval.low:.0%} to {rate.interval.high:.0%}"
    return f"{rate.value:.0%}", ends, str(rate.of)
