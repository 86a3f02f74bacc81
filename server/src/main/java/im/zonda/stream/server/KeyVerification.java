package im.zonda.stream.server;

import im.zonda.link.DomainPair;
import im.zonda.stanza.ErrorCondition;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A dialback key of which the servers of the remote domain are asked whether it is theirs. Any
/// thread may complete it; the first result counts.
final class KeyVerification {
  /// What the servers of the remote domain say.
  sealed interface Result {
    /// The key is theirs.
    record Valid() implements Result {}

    /// It is not.
    record Invalid() implements Result {}

    /// They could not be asked.
    record Failed(ErrorCondition condition, String detail) implements Result {}
  }

  private final DomainPair pair;
  private final String id;
  private final String key;
  private final Consumer<Result> then;
  private final AtomicBoolean done = new AtomicBoolean();

  /// @param id the identifier of the stream on which the key came
  KeyVerification(DomainPair pair, String id, String key, Consumer<Result> then) {
    this.pair = pair;
    this.id = id;
    this.key = key;
    this.then = then;
  }

  DomainPair pair() {
    return pair;
  }

  String id() {
    return id;
  }

  String key() {
    return key;
  }

  void complete(Result result) {
    if (done.compareAndSet(false, true)) {
      then.accept(result);
    }
  }

  void fail(ErrorCondition condition, String detail) {
    complete(new Result.Failed(condition, detail));
  }
}
