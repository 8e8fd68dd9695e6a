/**
 * Double-entry bookkeeping in memory.
 *
 * <p>Amounts are signed: a debit is positive, a credit negative, and the postings of a transaction add
 * up to zero. Values are records and can be shared between threads; {@link
 * io.jetobench.ledgerline.Ledger} and {@link io.jetobench.ledgerline.ChartOfAccounts} change and cannot.
 */
package io.jetobench.ledgerline;
