package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.app.transfer.erlang.XmlTerm;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The accounts and rooms in a dump of ejabberd's own database, which is Mnesia.
public final class MnesiaSource implements ImportSource {
  private final MnesiaDump dump;
  private final InstantSource clock;
  private @Nullable MnesiaIndex indexed;

  /// Opens a file that `ejabberdctl dump` has written.
  public MnesiaSource(Path file, InstantSource clock) throws IOException {
    this.dump = new MnesiaDump(file);
    this.clock = clock;
  }

  /// Whether a file is such a dump.
  public static boolean recognises(Path file) throws IOException {
    return MnesiaDump.recognises(file);
  }

  @Override
  public String name() {
    return "ejabberd " + dump.file();
  }

  private MnesiaIndex index() throws IOException {
    MnesiaIndex index = indexed;
    if (index == null) {
      index = MnesiaIndex.of(dump);
      indexed = index;
    }
    return index;
  }

  @Override
  public long countAccounts() throws IOException {
    return index().accounts().size();
  }

  private static @Nullable Jid address(String owner) {
    try {
      Jid jid = Jid.of(owner);
      return jid.local() != null && jid.resource() == null ? jid : null;
    } catch (JidFormatException e) {
      return null;
    }
  }

  private String where(String owner) {
    return dump.file() + " " + owner;
  }

  @Override
  public void readAccounts(Receiver receiver) throws IOException {
    MnesiaIndex index = index();
    index.report(receiver);
    for (String owner : index.accounts()) {
      receiver.account(
          where(owner),
          owner,
          address(owner),
          new MnesiaAccount(index, owner, clock.instant())::read);
    }
  }

  @Override
  public void readRooms(Receiver receiver) throws IOException {
    MnesiaIndex index = index();
    for (String owner : index.having(MnesiaTable.MUC_ROOM)) {
      for (int number : index.records(owner, MnesiaTable.MUC_ROOM).toArray()) {
        try {
          Jid room = address(owner);
          if (room == null) {
            throw new BadRecordException("not an address");
          }
          MnesiaRecord record = index.read(number);
          receiver.room(
              new EjabberdRoom(room, index.where(number), record.get("opts")).read(receiver));
        } catch (BadRecordException e) {
          receiver.omit(new Omission(index.where(number), owner, String.valueOf(e.getMessage())));
        }
      }
    }
  }

  @Override
  public void readMessages(Receiver receiver) throws IOException {
    MnesiaIndex index = index();
    for (String owner : index.accounts()) {
      Jid account = address(owner);
      if (account != null && receiver.beginMessages(account)) {
        messages(index, owner, MnesiaTable.OFFLINE_MSG, receiver, this::waiting);
        messages(index, owner, MnesiaTable.ARCHIVE_MSG, receiver, this::archived);
        receiver.endMessages();
      }
    }
    for (String owner : index.having(MnesiaTable.MUC_ROOM)) {
      Jid room = address(owner);
      if (room != null && receiver.beginMessages(room)) {
        messages(index, owner, MnesiaTable.ARCHIVE_MSG, receiver, this::inRoom);
        receiver.endMessages();
      }
    }
  }

  private interface Making {
    ImportedMessage make(Jid owner, MnesiaRecord row) throws BadRecordException;
  }

  private void messages(
      MnesiaIndex index, String owner, MnesiaTable table, Receiver receiver, Making making)
      throws IOException {
    Jid jid = Jid.of(owner);
    for (int number : inOrder(index, index.records(owner, table).toArray())) {
      try {
        receiver.message(making.make(jid, index.read(number)));
      } catch (BadRecordException e) {
        receiver.omit(
            new Omission(
                index.where(number), "a message of " + owner, String.valueOf(e.getMessage())));
      }
    }
  }

  /// The oldest first: a table has the records of an account in any order.
  private static int[] inOrder(MnesiaIndex index, int[] numbers) throws IOException {
    long[] times = new long[numbers.length];
    boolean ordered = true;
    for (int i = 0; i < numbers.length; i++) {
      times[i] = index.micros(numbers[i]);
      ordered = ordered && (i == 0 || times[i - 1] <= times[i]);
    }
    return ordered
        ? numbers
        : IntStream.range(0, numbers.length)
            .boxed()
            .sorted(Comparator.comparingLong(each -> times[each]))
            .mapToInt(each -> numbers[each])
            .toArray();
  }

  private static Instant time(MnesiaRecord row) throws BadRecordException {
    Instant time = MnesiaRecord.time(row.get("timestamp"));
    if (time == null) {
      throw new BadRecordException("it has no time");
    }
    return time;
  }

  private ImportedMessage waiting(Jid account, MnesiaRecord row) throws BadRecordException {
    Element element = XmlTerm.read(row.get("packet"));
    Instant time = ImportedMessages.delayOf(element);
    return ImportedMessages.ofAccount(account, element, time == null ? time(row) : time, true);
  }

  private ImportedMessage archived(Jid account, MnesiaRecord row) throws BadRecordException {
    return ImportedMessages.ofAccount(account, XmlTerm.read(row.get("packet")), time(row), false);
  }

  private ImportedMessage inRoom(Jid room, MnesiaRecord row) throws BadRecordException {
    Term peer = row.find("peer");
    String author = peer instanceof Term.Tuple ? MnesiaRecord.address(peer) : null;
    return ImportedMessages.ofRoom(
        room,
        ImportedMessages.broadcast(
            room, XmlTerm.read(row.get("packet")), row.words("nick"), author),
        time(row));
  }

  @Override
  public void close() throws IOException {
    dump.close();
  }
}
