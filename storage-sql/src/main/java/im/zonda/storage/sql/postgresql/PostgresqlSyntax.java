package im.zonda.storage.sql.postgresql;

import im.zonda.storage.sql.database.SqlSyntax;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// The SQL of PostgreSQL. The index of words is a column of lexemes, made from our own words
/// without a dictionary, with a GIN index.
final class PostgresqlSyntax implements SqlSyntax {
  @Override
  public String clock() {
    return "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
  }

  @Override
  public String insertCopied(String table, List<String> columns, int rows) {
    return SqlSyntax.insert(table, columns, rows)
        .replaceFirst("\\) values ", ") overriding system value values ");
  }

  @Override
  public String lastOwnerId() {
    return "select pg_sequence_last_value(cast(pg_get_serial_sequence('account', 'id')"
        + " as regclass))";
  }

  @Override
  public List<String> continueOwnerIds(long after) {
    return List.of("select setval(pg_get_serial_sequence('account', 'id'), " + after + ")");
  }

  @Override
  public String contains(String column) {
    return "strpos(" + column + ", ?) > 0";
  }

  @Override
  public String containsBytes(String column) {
    return "position(cast(? as bytea) in " + column + ") > 0";
  }

  @Override
  public String addWords() {
    return """
    insert into archive_text (id, words)
    values (?, array_to_tsvector(array_remove(string_to_array(?, ' '), '')))
    on conflict (id) do update set words = excluded.words
    """;
  }

  @Override
  public String removeWords(String ids) {
    return "delete from archive_text where id " + ids;
  }

  @Override
  public String findWords(boolean backwards) {
    return "select id from archive_text where words @@ cast(? as tsquery) and id >= ? and id <= ?"
        + (backwards ? " order by id desc limit ?" : " order by id limit ?");
  }

  @Override
  public String allWords(Collection<String> words) {
    return words.stream().collect(Collectors.joining("' & '", "'", "'"));
  }
}
