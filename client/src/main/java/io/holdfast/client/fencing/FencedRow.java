package io.holdfast.client.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows that carry the fencing token of their last writer in a column of their own: one conditional
 * update is guard and write at once, with auto-commit or in a transaction.
 */
public final class FencedRow {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,127}");

  private final String table;
  private final String idColumn;
  private final String tokenColumn;

  /**
   * A kind of row.
   *
   * @param idColumn the column with the row's id; one lock guards one row
   * @param tokenColumn a BIGINT; 0 in a row that was never written under a lock
   */
  public FencedRow(String table, String idColumn, String tokenColumn) {
    this.table = name(table);
    this.idColumn = name(idColumn);
    this.tokenColumn = name(tokenColumn);
  }

  private static String name(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("[" + name + "] is not a name");
    }
    return name;
  }

  /**
   * Updates a row.
   *
   * @param values the new values of the columns
   * @return false if there is no such row
   * @throws StaleToken if a larger token has written it; nothing has changed then
   */
  public boolean update(
      Connection connection,
      Object id,
      long fencingToken,
      Map<String, ? extends @Nullable Object> values)
      throws SQLException {
    List<String> columns = List.copyOf(values.keySet());
    String assignments =
        Stream.concat(columns.stream().map(FencedRow::name), Stream.of(tokenColumn))
            .map(column -> column + " = ?")
            .collect(Collectors.joining(", "));
    String sql =
        "UPDATE %s SET %s WHERE %s = ? AND %s <= ?"
            .formatted(table, assignments, idColumn, tokenColumn);
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      int place = 1;
      for (String column : columns) {
        update.setObject(place++, values.get(column));
      }
      update.setLong(place++, fencingToken);
      update.setObject(place++, id);
      update.setLong(place, fencingToken);
      if (update.executeUpdate() > 0) {
        return true;
      }
    }
    if (exists(connection, id)) {
      throw new StaleToken(Objects.toString(id), fencingToken);
    }
    return false;
  }

  private boolean exists(Connection connection, Object id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT 1 FROM " + table + " WHERE " + idColumn + " = ?")) {
      select.setObject(1, id);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next();
      }
    }
  }
}
