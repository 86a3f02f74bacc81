package im.zonda.module.hints;

import im.zonda.hook.StorageRule;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.stanza.Message;
import im.zonda.xml.QName;

/// Heeds what the sender says about storing a message. Hints in errors mean nothing: they are those
/// of the message that failed.
///
/// What `no-copy` asks for is done where copies are made (XEP-0280).
///
/// `store` does not hold for room messages: the room keeps them, and a sender must not fill the log
/// of every occupant.
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
