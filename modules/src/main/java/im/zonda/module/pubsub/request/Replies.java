package im.zonda.module.pubsub.request;

import im.zonda.module.IqReply;
import im.zonda.module.pubsub.node.Refusal;
import im.zonda.stanza.ErrorCondition;

/// Errors as answers to requests.
final class Replies {
  private Replies() {}

  static IqReply refuse(Refusal refusal) {
    return new IqReply.Refuse(refusal.error());
  }

  static IqReply refuse(ErrorCondition condition) {
    return refuse(Refusal.of(condition));
  }

  static IqReply refuse(ErrorCondition condition, String detail) {
    return refuse(Refusal.of(condition, detail));
  }
}
