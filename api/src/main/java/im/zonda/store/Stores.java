package im.zonda.store;

/// All stores of one server. Closing waits for what was accepted to be durable.
public interface Stores extends AutoCloseable {
  /// The accounts.
  AccountStore accounts();

  /// The rosters.
  RosterStore rosters();

  /// The rooms.
  RoomStore rooms();

  /// The store of that name; made on first use. Names are lower-case words.
  KeyValueStore keyValues(String name);

  /// The message log.
  MessageLog messages();

  /// The message log read as archive.
  MessageArchive archive();

  @Override
  void close();
}
