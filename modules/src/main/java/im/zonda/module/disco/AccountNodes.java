package im.zonda.module.disco;

import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes the nodes of accounts for service discovery (XEP-0030, sections 3.2 and 4.2). It
/// decides itself what the sender may know. Called at the account's home; may block.
public interface AccountNodes {
  /// The nodes as items of the account; null if the request limits them in a way that is not valid.
  @Nullable List<Element> list(IqRequest request);

  /// Answers a request for information about a node.
  IqReply info(IqRequest request, String node);

  /// Answers a request for the items of a node.
  IqReply items(IqRequest request, String node);
}
