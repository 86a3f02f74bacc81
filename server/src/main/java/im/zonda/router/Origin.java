package im.zonda.router;

import org.jspecify.annotations.Nullable;

/// Where a stanza on its way came from. It goes with the stanza to every home that decides on it.
///
/// What is begun is ended, by any thread, in any order. When all has been ended the stanza has been
/// handled in the sense of XEP-0198: whatever it caused is done, and durable.
interface Origin {
  /// Who is to stop reading while too much waits, or null.
  @Nullable Outbound outbound();

  /// Whether the client is told that the stanza has been handled. Then it may forget the stanza, so
  /// the server must either keep it or answer with an error.
  boolean acknowledges();

  /// Something more must end before the stanza has been handled.
  void begin();

  /// Something that was begun has ended.
  void end();
}
