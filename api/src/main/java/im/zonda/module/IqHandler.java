package im.zonda.module;

/// Answers one kind of IQ request, in the home's mailbox. May block.
@FunctionalInterface
public interface IqHandler {
  /// Answers the request.
  IqReply handle(IqRequest request);
}
