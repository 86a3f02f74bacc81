package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The data of another server. Reads it in three passes and holds one account in memory at a time.
/// Each pass reads the same things in the same order again as long as the data is the same. Reads
/// only. Confined to one thread; calls block.
public interface ImportSource extends AutoCloseable {
  /// The name of the format and where it is, for the administrator.
  String name();

  /// The number of accounts, or -1 if it is not known without reading all.
  long countAccounts() throws IOException;

  /// Passes on all accounts.
  ///
  /// @throws IOException if the rest cannot be read; what was passed on before is valid
  void readAccounts(Receiver receiver) throws IOException;

  /// Passes on all rooms.
  ///
  /// @throws IOException if the rest cannot be read
  void readRooms(Receiver receiver) throws IOException;

  /// Passes on the messages of all accounts and rooms: for each the messages that wait, then the
  /// archive, the oldest first, as far as the format has them in that order.
  ///
  /// @throws IOException if the rest cannot be read
  void readMessages(Receiver receiver) throws IOException;

  @Override
  void close() throws IOException;

  /// Reads an account.
  @FunctionalInterface
  interface AccountReader {
    /// The account with that address.
    ///
    /// @param receiver takes note of parts that cannot be taken
    /// @throws BadRecordException if the account cannot be taken
    /// @throws IOException if the source cannot be read
    ImportedAccount read(Jid account, String where, Receiver receiver)
        throws BadRecordException, IOException;
  }

  /// Takes what is read.
  interface Receiver {
    /// Takes an account.
    void account(ImportedAccount account);

    /// Takes an account that is still to be read, or takes note of why it cannot be taken: it costs
    /// itself only.
    ///
    /// @param where where it was found
    /// @param name the name that it has there
    /// @param account its address; null if none can be made of the name
    /// @throws IOException if the rest cannot be read either
    default void account(String where, String name, @Nullable Jid account, AccountReader reader)
        throws IOException {
      if (account == null) {
        omit(new Omission(where, name, "not a name of an account"));
        return;
      }
      try {
        account(reader.read(account, where, this));
      } catch (BadRecordException e) {
        omit(new Omission(where, account.toString(), String.valueOf(e.getMessage())));
      }
    }

    /// Takes a room.
    void room(ImportedRoom room);

    /// Begins the messages of an account or a room.
    ///
    /// @return false if none of them is wanted
    boolean beginMessages(Jid owner);

    /// Takes a message of the owner that was begun last.
    void message(ImportedMessage message);

    /// Ends the messages of that owner.
    void endMessages();

    /// Takes note of something that cannot be taken. It costs itself only.
    void omit(Omission omission);
  }
}
