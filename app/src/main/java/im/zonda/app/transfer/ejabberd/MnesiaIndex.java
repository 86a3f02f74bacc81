package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportBounds;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.app.transfer.erlang.TermReader;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Where the records of each owner are in a dump, which has them in any order: some 20 bytes of
/// memory for a record.
final class MnesiaIndex {
  private static final int MAX_RECORDS = 20_000_000;
  private static final int MAX_REPORTED = 1_000;
  private static final int NONE = -1;

  /// Tables with data of users that is not taken, and why.
  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "archive_prefs", "the archive's preferences: set them again with a client",
          "muc_registered", "nicknames are registered for each room",
          "sr_group", "shared groups: write them in the configuration",
          "motd", "the message of the day: set it again");

  private final MnesiaDump dump;
  private final Map<String, List<String>> columns = new HashMap<>();
  private final Map<String, Owner> owners = new LinkedHashMap<>();
  private final Map<String, Integer> leftOut = new LinkedHashMap<>();
  private final List<Omission> damaged = new ArrayList<>();
  private int unreported;
  private int services;

  // The records: a chain for each owner, in the order of the file.
  private long[] offsets = new long[1_024];
  private int[] lengths = new int[1_024];
  private int[] next = new int[1_024];
  private MnesiaTable[] tables = new MnesiaTable[1_024];
  private int count;

  private static final class Owner {
    private int first = NONE;
    private int last = NONE;
    private final Set<MnesiaTable> has = EnumSet.noneOf(MnesiaTable.class);
  }

  private MnesiaIndex(MnesiaDump dump) {
    this.dump = dump;
  }

  /// Reads a dump.
  static MnesiaIndex of(MnesiaDump dump) throws IOException {
    MnesiaIndex index = new MnesiaIndex(dump);
    dump.scan(index::take);
    return index;
  }

  private void take(long offset, long length, String head) throws IOException {
    String name = head.substring(1, Math.max(1, head.indexOf(',')));
    MnesiaTable table = MnesiaTable.of(name);
    if (name.equals("tables")) {
      header(offset, length);
    } else if (LEFT_OUT.containsKey(name)) {
      leftOut.merge(name, 1, Integer::sum);
    } else if (table != null) {
      try {
        if (length > ImportBounds.VALUE_BYTES) {
          throw new BadRecordException("larger than " + (ImportBounds.VALUE_BYTES >> 20) + " MiB");
        }
        String owner = table.owner(TermReader.head(head, 2).get(1));
        if (owner != null) {
          add(owner, table, offset, (int) length);
        } else if (table == MnesiaTable.PUBSUB_NODE) {
          services++;
        } else {
          throw new BadRecordException("it belongs to no account");
        }
      } catch (BadRecordException e) {
        damaged(where(table, offset), table.what(), e);
      }
    }
  }

  private void damaged(String where, String what, BadRecordException cause) {
    if (damaged.size() < MAX_REPORTED) {
      damaged.add(new Omission(where, what, String.valueOf(cause.getMessage())));
    } else {
      unreported++;
    }
  }

  private String where(MnesiaTable table, long offset) {
    return dump.file() + " " + table.word() + " at byte " + (offset + 1);
  }

  /// Reads `{tables, [{Name, [{record_name, _}, {attributes, Columns}]}]}`.
  private void header(long offset, long length) throws IOException {
    try {
      List<Term> parts =
          TermReader.head(dump.text(offset, (int) Math.min(length, ImportBounds.VALUE_BYTES)), 2);
      if (parts.get(1) instanceof Term.Items(List<Term> all)) {
        for (Term each : all) {
          header(each);
        }
      }
    } catch (BadRecordException e) {
      throw new IOException(dump.file() + ": not a dump of ejabberd: " + e.getMessage());
    }
  }

  private void header(Term table) {
    if (table instanceof Term.Tuple(List<Term> pair)
        && pair.size() == 2
        && Term.find(pair.get(1), "attributes") instanceof Term.Items(List<Term> names)) {
      columns.put(
          String.valueOf(Term.words(pair.getFirst())),
          names.stream().map(each -> String.valueOf(Term.words(each))).toList());
    }
  }

  private void add(String name, MnesiaTable table, long offset, int length) throws IOException {
    if (count == MAX_RECORDS) {
      throw new IOException(
          dump.file()
              + " has more than "
              + MAX_RECORDS
              + " records; move the data into an SQL database with `ejabberdctl export2sql`");
    }
    if (count == next.length) {
      int size = count * 2;
      offsets = Arrays.copyOf(offsets, size);
      lengths = Arrays.copyOf(lengths, size);
      next = Arrays.copyOf(next, size);
      tables = Arrays.copyOf(tables, size);
    }
    offsets[count] = offset;
    lengths[count] = length;
    next[count] = NONE;
    tables[count] = table;
    Owner owner = owners.computeIfAbsent(name, key -> new Owner());
    if (owner.first == NONE) {
      owner.first = count;
    } else {
      next[owner.last] = count;
    }
    owner.last = count;
    owner.has.add(table);
    count++;
  }

  /// The addresses of accounts, in the order of the file: those with a password, or with contacts
  /// where passwords are kept elsewhere.
  List<String> accounts() {
    List<String> all = having(MnesiaTable.PASSWD);
    return all.isEmpty() ? having(MnesiaTable.ROSTER) : all;
  }

  /// The owners of records of a table, in the order of the file.
  List<String> having(MnesiaTable table) {
    return owners.entrySet().stream()
        .filter(each -> each.getValue().has.contains(table))
        .map(Map.Entry::getKey)
        .toList();
  }

  /// The records of an owner, in the order of the file.
  IntStream records(@Nullable String owner) {
    Owner found = owners.get(owner);
    return found == null
        ? IntStream.empty()
        : IntStream.iterate(found.first, each -> each != NONE, each -> next[each]);
  }

  /// The records of an owner in a table, in the order of the file.
  IntStream records(String owner, MnesiaTable table) {
    return records(owner).filter(each -> table(each) == table);
  }

  /// The table of a record.
  MnesiaTable table(int number) {
    return tables[number];
  }

  /// Where a record is, for the administrator.
  String where(int number) {
    return where(table(number), offsets[number]);
  }

  /// Reads a record.
  ///
  /// @throws BadRecordException if it is damaged
  MnesiaRecord read(int number) throws IOException, BadRecordException {
    MnesiaTable table = table(number);
    Term term = TermReader.read(dump.text(offsets[number], lengths[number]));
    if (!(term instanceof Term.Tuple(List<Term> terms))) {
      throw new BadRecordException("not a record");
    }
    return new MnesiaRecord(columns.getOrDefault(table.word(), List.of()), terms);
  }

  /// The microseconds since 1970 in the column `timestamp` of a record, of which only the beginning
  /// is read; 0 if it has none.
  long micros(int number) throws IOException {
    int column = columns.getOrDefault(table(number).word(), List.of()).indexOf("timestamp");
    if (column < 0) {
      return 0;
    }
    try {
      String head = dump.text(offsets[number], Math.min(lengths[number], MnesiaDump.HEAD_BYTES));
      Instant time = MnesiaRecord.time(TermReader.head(head, column + 2).getLast());
      return time == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    } catch (BadRecordException e) {
      return 0; // reported when the whole record is read
    }
  }

  /// Reports what is not taken of the whole dump.
  void report(ImportSource.Receiver receiver) {
    damaged.forEach(receiver::omit);
    String where = dump.file().toString();
    if (unreported > 0) {
      receiver.omit(new Omission(where, unreported + " more records", "they are damaged"));
    }
    leftOut.forEach((table, records) ->
        receiver.omit(
            new Omission(
                where, records + " records of " + table, String.valueOf(LEFT_OUT.get(table)))));
    if (services > 0) {
      receiver.omit(
          new Omission(
              where,
              services + " nodes of a publish-subscribe service",
              "only PEP nodes are taken"));
    }
  }
}
