package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The data of a Prosody, wherever it is kept. Stores are named as by Prosody's modules.
interface ProsodyData extends AutoCloseable {
  /// For the administrator.
  String name();

  /// The hosts: those with accounts, and those of components.
  List<String> hosts() throws IOException;

  /// The users of a host that have something in a store, in order, after that one.
  ///
  /// @param limit the maximum number
  List<String> users(String host, String store, @Nullable String after, int limit)
      throws IOException;

  /// The number of users of a host that have something in a store.
  long count(String host, String store) throws IOException;

  /// What a store has of a user, or null.
  ///
  /// @param user the user, or null for the host itself
  /// @throws BadRecordException if it cannot be read
  LuaValue.@Nullable Table read(String host, @Nullable String user, String store)
      throws IOException, BadRecordException;

  /// Reads a list of a user, the oldest item first.
  ///
  /// @throws BadRecordException if the rest cannot be read
  void list(String host, String user, String store, Items items)
      throws IOException, BadRecordException;

  /// Where the data of a user is, for the administrator.
  String where(String host, @Nullable String user, String store);

  @Override
  void close() throws IOException;

  /// Takes the items of a list.
  interface Items {
    /// Takes an item.
    ///
    /// @param key its identifier
    /// @param with what Prosody has noted about it; empty for nothing
    void item(String key, @Nullable Instant when, String with, Element element);

    /// Takes note of an item that cannot be read.
    void damaged(String where, String why);
  }
}
