package im.zonda.app.transfer.destination;

import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.ImportedMessage;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// One import: first the accounts, then the rooms, then the messages. What was done is in a journal
/// in the data folder, so that a run that was interrupted is continued by another one.
public final class ImportRun implements ImportSource.Receiver {
  private final AccountWriter accounts;
  private final RoomWriter rooms;
  private final MessageWriter messages;
  private final ImportReport report;
  private final Progress progress;

  /// Is notified how far the import is.
  public interface Progress {
    /// Called often.
    ///
    /// @param step what is read: accounts, rooms or messages
    /// @param done how many were read in this run
    /// @param all how many there are, or -1 if that is not known
    void advanced(String step, long done, long all);
  }

  private long read;
  private long all;

  private ImportRun(ImportTarget target, Journal journal, ImportReport report, Progress progress) {
    this.accounts = new AccountWriter(target, journal, report);
    this.rooms = new RoomWriter(target, journal, report);
    this.messages = new MessageWriter(target, journal, report);
    this.report = report;
    this.progress = progress;
  }

  /// Imports from a source, or counts what would be imported.
  ///
  /// @param report gets the result, also of a run that fails
  /// @throws IOException if the source or the journal cannot be read
  public static void run(
      ImportSource source, ImportTarget target, ImportReport report, Progress progress)
      throws IOException {
    Path path = Journal.path(target.config().data(), source.name());
    boolean fresh = target.dryRun() && !Files.exists(path);
    try (Journal journal = fresh ? Journal.inMemory() : Journal.open(path)) {
      new ImportRun(target, journal, report, progress).read(source);
    }
  }

  /// Discards what is known of an earlier import from a source.
  ///
  /// @return false if there was none
  public static boolean forget(ImportTarget target, ImportSource source) throws IOException {
    return Files.deleteIfExists(Journal.path(target.config().data(), source.name()));
  }

  private void read(ImportSource source) throws IOException {
    all = source.countAccounts();
    try {
      source.readAccounts(this);
    } finally {
      accounts.flush();
    }
    begin();
    source.readRooms(this);
    begin();
    source.readMessages(this);
  }

  private void begin() {
    read = 0;
    all = -1;
  }

  @Override
  public void account(ImportedAccount account) {
    accounts.add(account);
    progress.advanced("accounts", ++read, all);
  }

  @Override
  public void room(ImportedRoom room) {
    rooms.add(room);
    progress.advanced("rooms", ++read, all);
  }

  @Override
  public boolean beginMessages(Jid owner) {
    return (accounts.hasTaken(owner) || rooms.hasTaken(owner)) && messages.begin(owner);
  }

  @Override
  public void message(ImportedMessage message) {
    messages.add(message);
    progress.advanced("messages", ++read, all);
  }

  @Override
  public void endMessages() {
    messages.end();
  }

  @Override
  public void omit(Omission omission) {
    report.omit(omission);
  }
}
