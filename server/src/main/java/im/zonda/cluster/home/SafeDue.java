package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;

/// What must still happen before a stanza is SAFE.
final class SafeDue {
  private final Member source;
  private final long entry;
  private final HomeContext context;
  private int sessions;
  private int commits;
  private boolean routed;
  private boolean done;

  SafeDue(Member source, long entry, HomeContext context) {
    this.source = source;
    this.entry = entry;
    this.context = context;
  }

  void awaitSession() {
    sessions++;
  }

  void sessionDone() {
    sessions--;
    settle();
  }

  void awaitCommit() {
    commits++;
  }

  void commitDone() {
    commits--;
    settle();
  }

  /// All that it waits for is known.
  void routed() {
    routed = true;
    settle();
  }

  private void settle() {
    if (routed && !done && context.rules().isSafe(sessions, commits)) {
      done = true;
      context.output().send(source, new NodeValue.Safe(entry));
    }
  }
}
