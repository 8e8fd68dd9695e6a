package io.jetobench.ledgerline;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions as lines of text: {@code 2024-03-01 * Office | 6000 1200.00 | 1000 -1200.00}.
 *
 * <p>Neither a bar nor a line break can be part of a description.
 */
public final class JournalFormat {

    private static final String AFTER_DATE = " * ";
    private static final String BETWEEN_PARTS = " | ";
    private static final int DATE_LENGTH = 10;

    private JournalFormat() {}

    /**
     * Writes a transaction.
     *
     * @throws LedgerException if its description cannot be written
     */
    public static String write(Transaction transaction) {
        String description = transaction.description();
        if (description.indexOf('|') >= 0 || description.indexOf('\n') >= 0 || description.indexOf('\r') >= 0) {
            throw new LedgerException("cannot write the description '" + description + "'");
        }
        StringBuilder line = new StringBuilder();
        line.append(transaction.date()).append(AFTER_DATE).append(description);
        for (Posting posting : transaction.postings()) {
            line.append(BETWEEN_PARTS).append(posting.account()).append(' ').append(posting.amount());
        }
        return line.toString();
    }

    /**
     * Reads a transaction.
     *
     * @throws LedgerException if the line has another form, or the transaction does not balance
     */
    public static Transaction read(String line) {
        if (!line.startsWith(AFTER_DATE, DATE_LENGTH)) {
            throw new LedgerException("not a transaction: '" + line + "'");
        }
        LocalDate date = readDate(line.substring(0, DATE_LENGTH));
        int bar = nextBar(line, DATE_LENGTH + AFTER_DATE.length());
        String description = line.substring(DATE_LENGTH + AFTER_DATE.length(), bar);
        List<Posting> postings = new ArrayList<>();
        while (bar < line.length()) {
            int start = bar + BETWEEN_PARTS.length();
            bar = nextBar(line, start);
            postings.add(readPosting(line, start, bar));
        }
        return new Transaction(date, description, postings);
    }

    private static LocalDate readDate(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new LedgerException("not a date: '" + text + "'");
        }
    }

    private static Posting readPosting(String line, int start, int end) {
        int space = line.indexOf(' ', start);
        if (space < 0 || space >= end) {
            throw new LedgerException("not a posting: '" + line.substring(start, end) + "'");
        }
        return Posting.of(line.substring(start, space), line.substring(space + 1, end));
    }

    private static int nextBar(String line, int from) {
        int bar = line.indexOf(BETWEEN_PARTS, from);
        return bar < 0 ? line.length() : bar;
    }
}
