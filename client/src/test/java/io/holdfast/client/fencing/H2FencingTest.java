package io.holdfast.client.fencing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

final class H2FencingTest extends JdbcFencingContract {

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:h2:mem:fencing;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
  }
}
