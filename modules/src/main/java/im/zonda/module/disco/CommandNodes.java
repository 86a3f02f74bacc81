package im.zonda.module.disco;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import org.jspecify.annotations.Nullable;

/// Describes commands for service discovery (XEP-0050, section 2). May block.
public interface CommandNodes {
  /// Answers a request for information about a node of an address; null if it is not a node of
  /// commands.
  @Nullable IqReply info(IqRequest request, Jid address, String node);

  /// Answers a request for the items of a node of an address; null if it is not a node of commands.
  @Nullable IqReply items(IqRequest request, Jid address, String node);
}
