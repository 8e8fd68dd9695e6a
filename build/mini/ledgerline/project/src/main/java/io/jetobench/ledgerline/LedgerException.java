package io.jetobench.ledgerline;

/** A booking or a text that breaks the rules of bookkeeping. */
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for the person who made the booking. */
    public LedgerException(String message) {
        super(message);
    }
}
