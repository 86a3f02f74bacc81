package im.zonda.store;

/// All stores of a server. Closing waits until what was accepted is durable.
public interface Stores extends AutoCloseable {
  /// The accounts.
  AccountStore accounts();

  /// The rosters.
  RosterStore rosters();

  /// The rooms.
  RoomStore rooms();

  /// The key-value store of that name, created on first use. Names are lower-case words.
  KeyValueStore keyValues(String name);

  /// The message log.
  MessageLog messages();

  /// The archive: the message log, read by owner.
  MessageArchive archive();

  @Override
  void close();
}
