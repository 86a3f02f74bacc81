package im.zonda.module.privilege;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.Messages;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.Element;
import org.jspecify.annotations.Nullable;

/// Messages that components send in the name of accounts and of the host (XEP-0356, section 5).
final class PrivilegedMessages {
  private final ModuleContext context;
  private final Privileges privileges;

  PrivilegedMessages(ModuleContext context, Privileges privileges) {
    this.context = context;
    this.privileges = privileges;
  }

  /// Handles a message to the host; false if it is none for a privileged entity.
  boolean accept(Envelope envelope) {
    if (!(envelope.stanza() instanceof Message message) || message.isError()) {
      return false;
    }
    Element privilege = message.payload(PrivilegeXml.PRIVILEGE);
    if (privilege == null) {
      return false;
    }
    ComponentPrivilege permitted = privileges.ofSender(message.from());
    if (permitted == null || permitted.message() != Messages.OUTGOING) {
      reject(message, StanzaError.of(ErrorCondition.FORBIDDEN));
      return true;
    }
    Message forwarded = read(PrivilegeXml.forwarded(privilege));
    if (forwarded == null) {
      reject(
          message,
          StanzaError.of(ErrorCondition.BAD_REQUEST).withText("There must be one message."));
    } else if (!isManaged(forwarded.from())) {
      reject(message, StanzaError.of(ErrorCondition.FORBIDDEN));
    } else {
      // A message without an addressee is for the sender's own account (RFC 6120, section 10.3.1).
      Jid to = forwarded.to() == null ? forwarded.from() : forwarded.to();
      context.send(
          new Envelope(forwarded.withAddresses(forwarded.from(), to), envelope.origin(), null));
    }
    return true;
  }

  private static @Nullable Message read(@Nullable Element message) {
    try {
      return message != null && Stanza.of(message) instanceof Message read ? read : null;
    } catch (StanzaFormatException e) {
      return null;
    }
  }

  /// Whether a message may be from that address: the host, or the bare address of an account.
  private boolean isManaged(@Nullable Jid from) {
    return from != null
        && from.resource() == null
        && from.domain().equals(context.domain().domain());
  }

  private void reject(Message message, StanzaError error) {
    if (message.from() != null) {
      context.send(Message.error(message, error));
    }
  }
}
