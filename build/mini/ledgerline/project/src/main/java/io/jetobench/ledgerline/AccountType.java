package io.jetobench.ledgerline;

/** The five kinds of account. */
public enum AccountType {
    ASSET(true),
    LIABILITY(false),
    EQUITY(false),
    INCOME(false),
    EXPENSE(true);

    private final boolean debitNormal;

    AccountType(boolean debitNormal) {
        this.debitNormal = debitNormal;
    }

    /** Returns a balance as reports show it: positive where the account stands as it normally does. */
    public Money display(Money balance) {
        return debitNormal ? balance : balance.negate();
    }
}
