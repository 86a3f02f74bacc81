package im.zonda.profile;

/// Purpose of a sample of the CPU.
public enum Category {
  /// Sockets, event loops and their buffers.
  NETWORK("network"),
  /// Reading and writing of XML and stanzas.
  XML("XML"),
  /// Parsing, preparing and comparing addresses (JIDs).
  ADDRESSES("addresses"),
  /// The database and its drivers.
  STORAGE("storage"),
  /// Encryption of connections.
  TLS("TLS"),
  /// Proof of passwords and tokens.
  LOGIN("login"),
  /// Everything else of the server: routing, homes, sessions, modules.
  ROUTING("routing and modules"),
  /// The garbage collector.
  COLLECTOR("garbage collector"),
  /// The compilers of the virtual machine, which are busy after the start.
  COMPILER("compiler"),
  /// Classes of plugins.
  PLUGINS("plugins"),
  /// Whatever is none of these: log, timers, the recording, samples without a stack.
  REST("rest");

  private final String words;

  Category(String words) {
    this.words = words;
  }

  /// The words for people.
  public String words() {
    return words;
  }
}
