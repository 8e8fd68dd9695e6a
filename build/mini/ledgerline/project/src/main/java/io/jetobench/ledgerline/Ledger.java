package io.jetobench.ledgerline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The transactions that were booked, in that order, and the balance of each account. */
public final class Ledger {

    private final ChartOfAccounts chart;
    private final List<Transaction> transactions = new ArrayList<>();
    private final Map<AccountCode, Money> balances = new HashMap<>();

    /** Creates a ledger without transactions; accounts can still be added to its chart. */
    public Ledger(ChartOfAccounts chart) {
        this.chart = chart;
    }

    public ChartOfAccounts chart() {
        return chart;
    }

    /**
     * Books a transaction.
     *
     * @throws LedgerException if one of its accounts does not exist; nothing is booked then
     */
    public void post(Transaction transaction) {
        for (Posting posting : transaction.postings()) {
            if (!balances.containsKey(posting.account())) {
                chart.get(posting.account());
            }
        }
        for (Posting posting : transaction.postings()) {
            balances.merge(posting.account(), posting.amount(), Money::plus);
        }
        transactions.add(transaction);
    }

    /** Returns what was booked, in the order in which it was booked. */
    public List<Transaction> transactions() {
        return Collections.unmodifiableList(transactions);
    }

    /** Returns the sum of the postings on this very account, without its parts. */
    public Money balanceOf(AccountCode code) {
        Money balance = balances.get(code);
        if (balance == null) {
            chart.get(code);
            return Money.ZERO;
        }
        return balance;
    }
}
