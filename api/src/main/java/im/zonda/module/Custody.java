package im.zonda.module;

import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import java.time.Duration;

/// The server's responsibility for a stanza that a service has been given: while it lasts the
/// sender is not told that the stanza has been handled (XEP-0198, section 4).
///
/// The call that brings it is one claim, given up when the call returns.
public interface Custody {
  /// Nobody waits: for what the server itself sends.
  Custody NONE =
      new Custody() {
        @Override
        public void awaitCommit(MessageLog.Receipt receipt, Message message) {}

        @Override
        public void slowDown(Duration time) {}

        @Override
        public void begin() {}

        @Override
        public void end() {}
      };

  /// The message has been handled when what `receipt` stands for is durable; if it cannot be, its
  /// sender is answered with an error. While too much waits for the log, the sender is not read
  /// from.
  void awaitCommit(MessageLog.Receipt receipt, Message message);

  /// Does not read from the sender for that time: what it sends next is delayed, in order, and
  /// waits in the sender's own connection.
  void slowDown(Duration time);

  /// One claim more.
  void begin();

  /// Gives up a claim that was begun; by any thread.
  void end();
}
