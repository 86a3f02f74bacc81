package im.zonda.edge;

/// Connection between an edge and its core, which carries values as frames of bytes.
public interface EdgeWire {
  /// Sends a frame, after those that the caller has sent before. Any thread may call; returns at
  /// once. Does nothing after the end.
  void send(byte[] frame);

  /// The same for a frame with a message, whose cause came to this process at that time
  /// ([im.zonda.module.Origin#since], or 0): [Handler#written] is called when it leaves.
  default void send(byte[] frame, long since) {
    send(frame);
  }

  /// Runs `task` later on the connection's thread, never within the call; on another thread, alone,
  /// once the connection's thread has ended. Any thread may call.
  void execute(Runnable task);

  /// Whether so much waits to be sent that the sender should pause until [Handler#drained].
  boolean isFull();

  /// Milliseconds of a clock that only goes forward.
  long now();

  /// Ends the connection. Any thread may call.
  ///
  /// @param reason for the log
  void close(String reason);

  /// Ends the connection when what was sent has left.
  void finish();

  /// Makes the handler of a connection that has been made.
  interface Acceptor {
    /// The handler of a new connection.
    ///
    /// @param peer the name in the other side's certificate
    Handler accept(EdgeWire wire, String peer);
  }

  /// Gets what happens on a connection, on the connection's thread.
  interface Handler {
    /// A frame has come. A frame that is no value, or is not allowed, ends the connection.
    void received(byte[] frame);

    /// About once a second.
    void tick();

    /// A frame has left that time, in ns, after its cause came to this process.
    default void written(long nanos) {}

    /// What waited has left.
    void drained();

    /// The connection is gone. The last call.
    void ended();
  }
}
