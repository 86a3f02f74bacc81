package im.zonda.stream;

/// The receiving side of a transport, as the stream controls it. Called on the stream's thread.
///
/// It gives the stream headers, frames and the end of the peer's stream (see [Stream]).
public interface StreamInput {
  /// Keeps all input from the next frame on, within the limits, until [#resume].
  void suspend();

  /// Processes the input that was kept, then what comes.
  void resume();

  /// Expects a new stream header next (RFC 6120, section 4.3.3).
  void restart();

  /// Applies other limits from the next frame on.
  void setLimits(InputLimits limits);

  /// Reads no further frame in the clear. Runs `startTls` if nothing but white space follows the
  /// current frame; otherwise the stream ends, because what follows may have been injected to look
  /// like encrypted input. Also while input is suspended: input since then is what follows.
  void prepareTls(Runnable startTls);
}
