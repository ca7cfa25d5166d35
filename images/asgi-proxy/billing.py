# The ledger of the proxy: accounts, reservations with a lease, charges. One SQLite file and short transactions,
# called from the loop without an await, so that what is settled while a request is being cancelled is settled whole.
import hashlib
import sqlite3
import time
import uuid

SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (
  id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE, balance INTEGER NOT NULL,
  reserved INTEGER NOT NULL DEFAULT 0, spent INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS reservations (
  id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), amount INTEGER NOT NULL, state TEXT NOT NULL,
  started_at INTEGER NOT NULL, lease_at INTEGER NOT NULL, marker TEXT);
CREATE TABLE IF NOT EXISTS charges (
  id TEXT PRIMARY KEY, account TEXT NOT NULL, amount INTEGER NOT NULL, marker TEXT);
"""


def now_ms():
    return int(time.time() * 1000)


class Ledger:
    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA busy_timeout = 2000")
        self.database.executescript(SCHEMA)

    def account_of(self, key):
        key_hash = hashlib.sha256(key.encode()).hexdigest()
        row = self.database.execute("SELECT id FROM accounts WHERE key_hash = ?", (key_hash,)).fetchone()
        return row and row[0]

    def _begin(self):
        # Rolls back where anything fails before the end of the block.
        self.database.execute("BEGIN IMMEDIATE")
        return self.database

    def reserve(self, account, amount, marker):
        """The reservation's id, or None where the balance does not suffice."""
        with self._begin() as database:
            taken = database.execute(
                "UPDATE accounts SET balance = balance - ?, reserved = reserved + ? WHERE id = ? AND balance >= ?",
                (amount, amount, account, amount),
            )
            if taken.rowcount == 0:
                return None
            identity = str(uuid.uuid4())
            database.execute(
                "INSERT INTO reservations VALUES (?, ?, ?, 'active', ?, ?, ?)",
                (identity, account, amount, now_ms(), now_ms(), marker),
            )
            return identity

    def renew(self, reservation):
        """False once the reservation is not active any more."""
        renewed = self.database.execute(
            "UPDATE reservations SET lease_at = ? WHERE id = ? AND state = 'active'", (now_ms(), reservation)
        )
        return renewed.rowcount > 0

    def settle(self, reservation, price):
        """Charges at most what was reserved and gives the rest back; does nothing to a reservation that has ended."""
        with self._begin() as database:
            row = database.execute(
                "SELECT account, amount, marker FROM reservations WHERE id = ? AND state = 'active'", (reservation,)
            ).fetchone()
            if row is None:
                return
            account, amount, marker = row
            charged = min(price, amount)
            database.execute(
                "UPDATE reservations SET state = ? WHERE id = ?", ("charged" if charged > 0 else "released", reservation)
            )
            database.execute(
                "UPDATE accounts SET balance = balance + ?, reserved = reserved - ?, spent = spent + ? WHERE id = ?",
                (amount - charged, amount, charged, account),
            )
            if charged > 0:
                database.execute("INSERT INTO charges VALUES (?, ?, ?, ?)", (str(uuid.uuid4()), account, charged, marker))

    def sweep(self, lease_ms):
        stale = self.database.execute(
            "SELECT id FROM reservations WHERE state = 'active' AND lease_at < ?", (now_ms() - lease_ms,)
        ).fetchall()
        for (reservation,) in stale:
            self.settle(reservation, 0)

    def refund(self, account):
        """What is paid out, or None while anything is reserved."""
        with self._begin() as database:
            balance, reserved = database.execute("SELECT balance, reserved FROM accounts WHERE id = ?", (account,)).fetchone()
            if reserved > 0:
                return None
            database.execute("UPDATE accounts SET balance = 0, spent = spent + balance WHERE id = ?", (account,))
            return balance

    def close(self):
        self.database.close()
