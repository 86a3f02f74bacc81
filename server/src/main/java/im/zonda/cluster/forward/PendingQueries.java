package im.zonda.cluster.forward;

import im.zonda.cluster.frame.NodeValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Queries of this node to homes on other nodes, whether an address exists. Confined to the node's
/// inbox.
public final class PendingQueries {
  /// Questions that may await an answer.
  static final int MOST = 10_000;

  private record Open(NodeValue.Ask question, Consumer<Boolean> answer) {}

  private final Map<Long, Open> open = new LinkedHashMap<>();
  private long last;
  private boolean closed;

  /// Adds a question. If there are too many, or the node was evicted, it is answered with true and
  /// not to be sent.
  ///
  /// @return the question; empty if it is not to be sent
  public List<NodeValue.Ask> add(String owner, String address, Consumer<Boolean> answer) {
    if (closed || open.size() >= MOST) {
      answer.accept(true);
      return List.of();
    }
    last++;
    NodeValue.Ask question = new NodeValue.Ask(last, owner, address);
    open.put(last, new Open(question, answer));
    return List.of(question);
  }

  /// A home has answered.
  public void answered(NodeValue.Answer answer) {
    Open asked = open.remove(answer.ask());
    if (asked != null) {
      asked.answer().accept(answer.exists());
    }
  }

  /// The node was evicted: no home answers it. Those without an answer are answered with true, as
  /// whether the address exists is unknown.
  public void close() {
    closed = true;
    List<Open> unanswered = List.copyOf(open.values());
    open.clear();
    unanswered.forEach(each -> each.answer().accept(true));
  }

  /// Those without an answer, the oldest first.
  public List<NodeValue.Ask> unanswered() {
    List<NodeValue.Ask> questions = new ArrayList<>();
    open.values().forEach(each -> questions.add(each.question()));
    return questions;
  }
}
