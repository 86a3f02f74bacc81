package im.zonda.module.muc.discovery;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.Xep;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.function.Predicate;

/// Generates unique room names. Nothing is reserved: a name has enough random bits to be unique.
@Xep(number = 307, version = "0.1", title = "Unique Room Names for Multi-User Chat")
public final class UniqueNames {
  private static final String NAMESPACE = "http://jabber.org/protocol/muc#unique";
  private static final QName UNIQUE = new QName(NAMESPACE, "unique");

  private final IdSource ids;
  private final Jid domain;
  private final Predicate<Jid> mayCreate;

  /// @param mayCreate which bare addresses may create rooms
  public UniqueNames(IdSource ids, Jid domain, Predicate<Jid> mayCreate) {
    this.ids = ids;
    this.domain = domain;
    this.mayCreate = mayCreate;
  }

  public void install(RequestTable table) {
    table.onServiceIq(Iq.Type.GET, UNIQUE, (iq, unique) -> name(iq)).serviceFeature(NAMESPACE);
  }

  private IqReply name(Iq iq) {
    Jid from = iq.from();
    if (from == null || !mayCreate.test(from.bare())) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    // In the prepared form that it has in an address.
    String name = String.valueOf(Jid.of(ids.next(), domain.domain(), null).local());
    return IqReply.result(Element.text(UNIQUE, name));
  }
}
