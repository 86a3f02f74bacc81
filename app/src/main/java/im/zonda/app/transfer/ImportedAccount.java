package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An account of another server without its messages.
///
/// @param jid its bare address
/// @param origin where it was found, for the administrator: a file with a line, or a row
/// @param disabled whether nobody may log in
/// @param created when it was created, or null if that is unknown
/// @param roster the contacts, with pending requests
/// @param vcard the vCard (XEP-0054), or null
/// @param privateXml private XML (XEP-0049)
/// @param blocked blocked addresses (XEP-0191)
/// @param nodes the nodes of personal eventing (XEP-0163)
public record ImportedAccount(
    Jid jid,
    String origin,
    Credentials credentials,
    boolean disabled,
    @Nullable Instant created,
    List<RosterItem> roster,
    @Nullable Element vcard,
    List<Element> privateXml,
    List<Jid> blocked,
    List<ImportedNode> nodes) {
  /// Copies the lists.
  public ImportedAccount {
    roster = List.copyOf(roster);
    privateXml = List.copyOf(privateXml);
    blocked = List.copyOf(blocked);
    nodes = List.copyOf(nodes);
  }
}
