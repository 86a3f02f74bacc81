package im.zonda.module;

/// Answers one kind of IQ request. May block: it runs on a virtual thread in the home's mailbox.
@FunctionalInterface
public interface IqHandler {
  /// Answers the request.
  IqReply handle(IqRequest request);
}
