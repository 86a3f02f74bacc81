package im.zonda.bench.xmpp;

/// The carrier of a client's stream. Confined to the client's loop, except for [#write] and [#cut].
interface Wire {
  /// Opens the stream, or opens it again after a step that restarts it (RFC 6120, section 4.3.3).
  void openStream();

  /// Puts TLS under the stream, after the server has agreed.
  void startTls();

  /// Sends a whole element. Any thread may call.
  void write(byte[] xml);

  /// Reads nothing more.
  void stopReading();

  /// Closes the stream and then the connection, without waiting for the server.
  void close();

  /// Resets the connection. Any thread may call.
  void cut();

  /// What a wire tells its client, on the loop.
  interface Events extends ElementCutter.Receiver {
    /// The stream can be opened.
    void ready(Wire wire);

    /// There is no connection, or no longer. The first call counts.
    void failed(Throwable cause);
  }
}
