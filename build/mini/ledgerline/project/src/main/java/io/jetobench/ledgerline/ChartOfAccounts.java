package io.jetobench.ledgerline;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The accounts that can be booked on. Each part of an account has the type of the whole. */
public final class ChartOfAccounts {

    private final NavigableMap<AccountCode, Account> accounts = new TreeMap<>();

    /**
     * Adds an account.
     *
     * @throws LedgerException if the code is taken, or the account that this one is a part of is
     *     missing or of another type
     */
    public ChartOfAccounts add(Account account) {
        account.code().parent().ifPresent(code -> {
            if (get(code).type() != account.type()) {
                throw new LedgerException(account.code() + " is not of the type of " + code);
            }
        });
        if (accounts.putIfAbsent(account.code(), account) != null) {
            throw new LedgerException("account " + account.code() + " exists already");
        }
        return this;
    }

    /**
     * Returns an account.
     *
     * @throws LedgerException if there is none with this code
     */
    public Account get(AccountCode code) {
        Account account = accounts.get(code);
        if (account == null) {
            throw new LedgerException("there is no account " + code);
        }
        return account;
    }

    /** Returns all accounts in the order of their codes. */
    public Collection<Account> accounts() {
        return Collections.unmodifiableCollection(accounts.values());
    }
}
