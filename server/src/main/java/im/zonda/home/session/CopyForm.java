package im.zonda.home.session;

import java.util.Map;

/// The binary form of the parts of a session that other nodes keep. A session that waits for
/// resumption is one part, whose key is its id ([im.zonda.home.account]). Of one that has a stream,
/// what changes all the time is in parts of their own.
public interface CopyForm {
  /// A session that waits for resumption: all of it.
  byte[] whole(MovingSession session);

  /// A session that has a stream, without what is in the other parts.
  byte[] attached(SavedSession session);

  /// What such a session has sent and the client has not acknowledged.
  ///
  /// @param known up to which number the client may have got it. What follows has waited, and has
  ///   no numbers
  /// @param values what modules keep about what was sent, as text
  byte[] queue(SavedSession session, long known, Map<String, String> values);

  /// How many stanzas of its client have been handled.
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
