package io.holdfast.client.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the fencing guards for relational databases. */
abstract class JdbcFencingContract {

  private final JdbcGuard guard = new JdbcGuard("fences");
  private final FencedRow orders = new FencedRow("orders", "id", "fencing_token");

  /** A connection of its own. */
  abstract Connection connect() throws SQLException;

  @BeforeEach
  void tables() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS orders");
      statement.execute("DROP TABLE IF EXISTS fences");
      statement.execute(
          "CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR(40), fencing_token BIGINT NOT"
              + " NULL)");
      statement.execute("INSERT INTO orders VALUES (42, 'new', 0)");
      guard.createTable(connection);
      guard.createTable(connection);
    }
  }

  @Test
  void a_row_refuses_a_smaller_token_and_takes_an_equal_one() throws SQLException {
    try (Connection connection = connect()) {
      assertTrue(orders.update(connection, 42, 7, Map.of("status", "paid")));
      assertTrue(orders.update(connection, 42, 7, Map.of("status", "packed")));
      assertTrue(orders.update(connection, 42, 9, Map.of("status", "sent")));
      assertThrows(
          StaleToken.class, () -> orders.update(connection, 42, 8, Map.of("status", "paid")));
      assertEquals("sent", status());
      assertFalse(orders.update(connection, 43, 9, Map.of("status", "paid")));
    }
  }

  @Test
  void a_transaction_is_let_in_by_an_equal_or_larger_token_only() throws SQLException {
    write(7, "paid");
    write(7, "packed");
    write(9, "sent");
    assertThrows(StaleToken.class, () -> write(8, "paid"));
    assertEquals("sent", status());
    write(9, "delivered");
    assertEquals("delivered", status());
  }

  @Test
  void a_transaction_that_is_rolled_back_leaves_the_token_as_it_was() throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      guard.admit(connection, "orders/42", 9);
      connection.rollback();
    }
    write(8, "paid");
    assertEquals("paid", status());
  }

  @Test
  void a_guard_outside_of_a_transaction_is_refused() throws SQLException {
    try (Connection connection = connect()) {
      assertThrows(IllegalStateException.class, () -> guard.admit(connection, "orders/42", 1));
    }
  }

  @Test
  void no_concurrent_writer_is_overtaken_by_a_smaller_token() {
    CompletableFuture<?>[] writers =
        LongStream.rangeClosed(1, 40)
            .map(token -> 41 - token)
            .mapToObj(token -> CompletableFuture.runAsync(() -> tryWrite(token)))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(writers).orTimeout(60, TimeUnit.SECONDS).join();
    assertEquals("by 40", status());
  }

  private void tryWrite(long token) {
    try {
      write(token, "by " + token);
    } catch (StaleToken e) {
      // Somebody with a larger token was first.
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write(long token, String status) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      try {
        guard.admit(connection, "orders/42", token);
        statement.executeUpdate("UPDATE orders SET status = '" + status + "' WHERE id = 42");
        connection.commit();
      } catch (StaleToken e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private String status() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT status FROM orders WHERE id = 42")) {
      assertTrue(rows.next());
      return rows.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
