package im.zonda.storage.sql.database;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/// The parameters of a list of ids in a statement, for `in`. One statement serves for up to `size`
/// ids, in one round trip to the database, because the last id fills the rest.
///
/// @param size the number of parameters
public record IdList(int size) {
  /// For statements whose rows are small.
  public static final IdList MANY = new IdList(64);

  /// The list in parentheses.
  public String sql() {
    return SqlSyntax.parameters(size);
  }

  /// Sets the parameters.
  ///
  /// @param first the position of the first one
  /// @param ids at least one id, at most `size`
  public void set(PreparedStatement statement, int first, List<Long> ids) throws SQLException {
    for (int i = 0; i < size; i++) {
      statement.setLong(first + i, ids.get(Math.min(i, ids.size() - 1)));
    }
  }

  /// Splits a list into lists for one statement each.
  public List<List<Long>> split(List<Long> ids) {
    int parts = (ids.size() + size - 1) / size;
    return IntStream.range(0, parts)
        .mapToObj(i -> ids.subList(i * size, Math.min(ids.size(), (i + 1) * size)))
        .toList();
  }
}
