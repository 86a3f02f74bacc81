package im.zonda.storage.sql.size;

import im.zonda.size.SizeStore;
import im.zonda.storage.sql.database.QueryExecutor;
import im.zonda.storage.sql.database.SqlSyntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Sizes of domains in the database. Accounts, rooms and files are counted; messages too if there
/// are few. Otherwise the time from the first message to the last is cut into equal parts, and of
/// each a short while at random is read, so that quiet and busy times count as they should.
public record SqlSizes(QueryExecutor queries) implements SizeStore {
  private static final String ACCOUNTS =
      "select domain, count(*), 0 from account where local not like '/%' group by domain";

  private static final String ROOMS = "select domain, count(*), 0 from room group by domain";

  /// Rooms, also removed ones that can be restored, are in the table of accounts too.
  private static final String NO_ACCOUNTS =
      "select a.domain, count(*), 0 from account a"
          + " where exists (select 1 from room where owner_id = a.id)"
          + " and a.local not like '/%' group by a.domain";

  private static final String FILES =
      "select a.domain, count(*), sum(u.size) from upload u join account a on a.id = u.owner_id"
          + " group by a.domain";

  private static final String RANGE =
      "select coalesce(min(id), 0), coalesce(max(id), -1) from message";

  private static final String ROWS =
      "select id, owner_id, length(stanza), waiting, archive, sender_id,"
          + " coalesce(length(sender_stanza), 0)"
          + " from message where id >= ? and id < ? order by id limit ?";

  private static final String ENTRIES =
      "select coalesce(sum(entries), 0) from archive_slice where level >= 0";

  /// Rows of a query: the others wait for a connection meanwhile.
  private static final int PAGE = 5_000;

  /// Parts of the time that are looked at.
  private static final int PARTS = 500;

  /// Rows of one part at most.
  private static final int MOST_OF_PART = 20_000;

  private static final int IDS = 500;

  /// Messages and their bytes of owners.
  private static final class Tally {
    private final Map<Long, long[]> owners = new HashMap<>();
    private long rows;

    void add(Row row) {
      rows++;
      if (row.kept()) {
        add(row.owner(), 1, row.bytes());
      } else {
        add(row.owner(), 0, row.bytes());
      }
      if (row.sender() != 0) {
        add(row.sender(), 1, row.senderBytes());
      }
    }

    private void add(long owner, long messages, long bytes) {
      long[] sums = owners.computeIfAbsent(owner, _ -> new long[2]);
      sums[0] += messages;
      sums[1] += bytes;
    }
  }

  private record Row(
      long id, long owner, long bytes, boolean kept, long sender, long senderBytes) {}

  private record Range(long first, long last) {}

  private record Count(String domain, long count, long bytes) {}

  @Override
  public Measured measure(int rows, RandomGenerator random) {
    Map<String, Size> sizes = new TreeMap<>();
    for (Count each : counts(ACCOUNTS)) {
      add(sizes, new Size(each.domain(), 0, 0, each.count(), 0, 0, 0));
    }
    for (Count each : counts(NO_ACCOUNTS)) {
      add(sizes, new Size(each.domain(), 0, 0, -each.count(), 0, 0, 0));
    }
    for (Count each : counts(ROOMS)) {
      add(sizes, new Size(each.domain(), 0, 0, 0, each.count(), 0, 0));
    }
    for (Count each : counts(FILES)) {
      add(sizes, new Size(each.domain(), 0, 0, 0, 0, each.count(), each.bytes()));
    }
    Range range =
        queries.query(handle ->
            handle
                .createQuery(RANGE)
                .map((row, context) -> new Range(row.getLong(1), row.getLong(2)))
                .one());
    Tally all = counted(range, rows);
    boolean estimated = all.rows > rows;
    double factor = 1;
    if (estimated) {
      double part = Math.min(1, (double) rows / Math.max(entries(), 2L * rows));
      all = sampled(range, part, random);
      factor = 1 / part;
    }
    addMessages(sizes, all, factor);
    sizes.values().removeIf(each -> each.equals(Size.of(each.domain())));
    return new Measured(List.copyOf(sizes.values()), estimated);
  }

  private static void add(Map<String, Size> sizes, Size size) {
    sizes.merge(size.domain(), size, Size::plus);
  }

  private List<Count> counts(String query) {
    return queries.search(handle ->
        handle
            .createQuery(query)
            .map((row, context) -> new Count(row.getString(1), row.getLong(2), row.getLong(3)))
            .list());
  }

  /// About how many messages the archive has.
  private long entries() {
    return queries.query(handle -> handle.createQuery(ENTRIES).mapTo(Long.class).one());
  }

  private List<Row> rows(long from, long to, int limit) {
    return queries.search(handle ->
        handle
            .createQuery(ROWS)
            .bind(0, from)
            .bind(1, to)
            .bind(2, limit)
            .map((row, context) ->
                new Row(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getInt(4) + row.getInt(5) > 0,
                    row.getLong(6),
                    row.getLong(7)))
            .list());
  }

  /// All messages, or a few more than `most`.
  private Tally counted(Range range, long most) {
    Tally tally = new Tally();
    long next = range.first();
    while (next <= range.last() && tally.rows <= most) {
      int limit = (int) Math.min(PAGE, most - tally.rows + 1);
      List<Row> page = rows(next, range.last() + 1, limit);
      page.forEach(tally::add);
      if (page.size() < limit) {
        break;
      }
      next = page.getLast().id() + 1;
    }
    return tally;
  }

  /// @param part which part of the time is read
  private Tally sampled(Range range, double part, RandomGenerator random) {
    Tally tally = new Tally();
    double width = (range.last() + 1 - range.first()) / (double) PARTS;
    for (int i = 0; i < PARTS; i++) {
      double start = range.first() + width * (i + random.nextDouble() * (1 - part));
      rows((long) start, (long) (start + width * part), MOST_OF_PART).forEach(tally::add);
    }
    return tally;
  }

  private void addMessages(Map<String, Size> sizes, Tally tally, double factor) {
    List<Long> ids = new ArrayList<>(tally.owners.keySet());
    for (int from = 0; from < ids.size(); from += IDS) {
      List<Long> some = ids.subList(from, Math.min(ids.size(), from + IDS));
      domains(some)
          .forEach((id, domain) -> {
            long[] sums = tally.owners.getOrDefault(id, new long[2]);
            add(
                sizes,
                new Size(
                    domain,
                    Math.round(sums[0] * factor),
                    Math.round(sums[1] * factor),
                    0,
                    0,
                    0,
                    0));
          });
    }
  }

  /// The domains of owners; those that are gone have none.
  private Map<Long, String> domains(List<Long> ids) {
    String query = "select id, domain from account where id in " + SqlSyntax.parameters(ids.size());
    return queries.query(handle -> {
      var statement = handle.createQuery(query);
      for (int i = 0; i < ids.size(); i++) {
        statement.bind(i, ids.get(i));
      }
      Map<Long, String> domains = new HashMap<>();
      statement
          .map((row, context) -> Map.entry(row.getLong(1), row.getString(2)))
          .forEach(each -> domains.put(each.getKey(), each.getValue()));
      return domains;
    });
  }
}
