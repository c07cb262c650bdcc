package io.holdfast.client.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Guards writes to a relational database, by a table of its own in that database: the largest token
 * of each key. It takes part in the caller's transaction: the row of the key stays locked until
 * that ends, so the token is kept in the same atomic step as the write.
 *
 * <p>Made for READ COMMITTED and stricter. Under stricter ones the database may refuse one of two
 * writers at a time; it is the caller who then tries the transaction again.
 */
public final class JdbcGuard {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,127}");
  private static final String ALREADY_THERE = "23"; // SQLSTATE: integrity constraint violation
  private static final int ATTEMPTS = 3;

  private final String table;

  /**
   * A guard.
   *
   * @param table its table; {@link #createTable} makes it
   */
  public JdbcGuard(String table) {
    if (!NAME.matcher(table).matches()) {
      throw new IllegalArgumentException("[" + table + "] is not the name of a table");
    }
    this.table = table;
  }

  /** Makes its table if it is not there: a key of at most 512 bytes, and a number. */
  public void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS "
              + table
              + " (lock_key VARCHAR(512) PRIMARY KEY, fencing_token BIGINT NOT NULL)");
    }
  }

  /**
   * Lets the transaction go on, if the token is not stale. To be called before its writes, with
   * auto-commit off.
   *
   * @throws StaleToken if a larger one was seen: the transaction must be rolled back
   */
  public void admit(Connection connection, String key, long fencingToken) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException("auto-commit is on: the guard and the write are one step");
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (raise(connection, key, fencingToken)) {
        return;
      }
      OptionalLong known = known(connection, key);
      if (known.isPresent() && known.getAsLong() > fencingToken) {
        throw new StaleToken(key, fencingToken);
      } else if (known.isEmpty() && insert(connection, key, fencingToken)) {
        return;
      }
      // The row was inserted concurrently, perhaps with a smaller token.
    }
    throw new SQLException("the row of [" + key + "] comes and goes", "40001");
  }

  private boolean raise(Connection connection, String key, long token) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE "
                + table
                + " SET fencing_token = ? WHERE lock_key = ? AND fencing_token <= ?")) {
      update.setLong(1, token);
      update.setString(2, key);
      update.setLong(3, token);
      return update.executeUpdate() == 1;
    }
  }

  private OptionalLong known(Connection connection, String key) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT fencing_token FROM " + table + " WHERE lock_key = ?")) {
      select.setString(1, key);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /** False if another transaction was first; this one is not changed. */
  private boolean insert(Connection connection, String key, long token) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO " + table + " (lock_key, fencing_token) VALUES (?, ?)")) {
      insert.setString(1, key);
      insert.setLong(2, token);
      insert.executeUpdate();
    } catch (SQLException e) {
      String state = e.getSQLState();
      if (state == null || !state.startsWith(ALREADY_THERE)) {
        throw e;
      }
      connection.rollback(before);
      return false;
    }
    connection.releaseSavepoint(before);
    return true;
  }
}
