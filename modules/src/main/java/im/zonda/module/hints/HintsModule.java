package im.zonda.module.hints;

import im.zonda.hook.StorageRule;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.xml.QName;

/// Applies the sender's hints about storing a message. Hints in errors are ignored, as they belong
/// to the message that failed. The module for carbons applies `no-copy` (XEP-0280).
///
/// `store` is ignored in groupchat messages: the room stores them, and a sender must not fill the
/// logs of all occupants.
@Xep(number = 334, version = "1.0.0", title = "Message Processing Hints")
public final class HintsModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:hints";
  private static final QName NO_STORE = new QName(NAMESPACE, "no-store");
  private static final QName NO_PERMANENT_STORE = new QName(NAMESPACE, "no-permanent-store");
  private static final QName STORE = new QName(NAMESPACE, "store");

  @Override
  public String name() {
    return "hints";
  }

  @Override
  public void install(ModuleContext context) {
    context.onStorage(HintsModule::decide);
  }

  private static StorageRule.Decision decide(Message message) {
    if (message.isError()) {
      return StorageRule.Decision.UNDECIDED;
    }
    if (message.has(NO_STORE)) {
      return StorageRule.Decision.SKIP;
    }
    if (message.has(NO_PERMANENT_STORE)) {
      return StorageRule.Decision.UNTIL_DELIVERED;
    }
    return message.has(STORE) && message.type() != Message.Type.GROUPCHAT
        ? StorageRule.Decision.STORE
        : StorageRule.Decision.UNDECIDED;
  }
}
