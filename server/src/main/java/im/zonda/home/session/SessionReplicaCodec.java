package im.zonda.home.session;

import java.util.Map;

/// The binary form of a session's replica. A session that waits for resumption is one part, whose
/// key is the session's id ([im.zonda.home.account]). A session with a stream has parts of their
/// own for its queue and its count, which change all the time.
public interface SessionReplicaCodec {
  /// The whole of a session that waits for resumption.
  byte[] whole(MovingSession session);

  /// A session with a stream, without its queue and its count.
  byte[] attached(SavedSession session);

  /// The stanzas that such a session has sent and the client has not acknowledged.
  ///
  /// @param replicatedUpTo the number of the last stanza that the client may have received. Stanzas
  ///   after it were held back, and have no numbers
  /// @param values what modules keep about what was sent, as text
  byte[] queue(SavedSession session, long replicatedUpTo, Map<String, String> values);

  /// How many of its client's stanzas have been handled.
  byte[] handled(long handled);

  /// The key of [#queue].
  static String queueKey(String id) {
    return id + "#queue";
  }

  /// The key of [#handled].
  static String handledKey(String id) {
    return id + "#handled";
  }

  /// Whether a key is that of a session itself.
  static boolean isState(String key) {
    return key.indexOf('#') < 0;
  }

  /// The id of the session that a part belongs to.
  static String idOf(String key) {
    return isState(key) ? key : key.substring(0, key.indexOf('#'));
  }
}
