package im.zonda.storage.sql.mariadb;

import im.zonda.storage.sql.database.SqlSyntax;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// The SQL of MariaDB, with `ansi_quotes`. The index of words is a table with a row for each word:
/// what `FULLTEXT` takes for a word is a setting of the server, and it ignores short words.
final class MariadbSyntax implements SqlSyntax {
  @Override
  public String clock() {
    return "select cast(unix_timestamp(sysdate(6)) * 1000000 as signed)";
  }

  @Override
  public String insertMissing(String table, List<String> columns, List<String> key, int rows) {
    return SqlSyntax.insert(table, columns, rows).replaceFirst("insert", "insert ignore");
  }

  @Override
  public String lastOwnerId() {
    return "select auto_increment - 1 from information_schema.tables"
        + " where table_schema = database() and table_name = 'account'";
  }

  @Override
  public List<String> continueOwnerIds(long after) {
    return List.of("alter table account auto_increment = " + (after + 1));
  }

  @Override
  public String contains(String column) {
    return "locate(?, " + column + ") > 0";
  }

  @Override
  public String containsBytes(String column) {
    return contains(column);
  }

  @Override
  public String addWords() {
    return """
    insert ignore into archive_text (id, word)
    select ?, word
    from json_table(
      concat('["', replace(?, ' ', '","'), '"]'), '$[*]' columns (word varchar(200) path '$')) words
    where word <> ''
    """;
  }

  @Override
  public String removeWords(String ids) {
    return "delete from archive_text where id " + ids;
  }

  @Override
  public String findWords(boolean backwards) {
    return """
    with wanted as (
      select word from json_table(?, '$[*]' columns (word varchar(200) path '$')) words)
    select id from archive_text join wanted on archive_text.word = wanted.word
    where id >= ? and id <= ? group by id having count(*) = (select count(*) from wanted)
    """
        + (backwards ? " order by id desc limit ?" : " order by id limit ?");
  }

  @Override
  public String allWords(Collection<String> words) {
    return words.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }
}
