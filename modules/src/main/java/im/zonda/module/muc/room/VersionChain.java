package im.zonda.module.muc.room;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.xml.Element;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The versions before and after each of several changes of affiliations, which are announced one
/// after the other (XEP-0463, section 5.2.2).
public final class VersionChain {
  /// No versions: no session in the room has asked for them.
  public static final VersionChain NONE = new VersionChain(Map.of());

  private final Map<Jid, Element> elements;

  private VersionChain(Map<Jid, Element> elements) {
    this.elements = elements;
  }

  /// The versions for changes that have not been applied.
  ///
  /// @param changes in the order in which they are announced
  public static VersionChain of(
      Affiliations affiliations, List<AffiliationChange> changes, String salt) {
    Map<Jid, Element> elements = new HashMap<>();
    AffiliationVersion version = AffiliationVersion.of(affiliations, salt);
    for (AffiliationChange change : changes) {
      Affiliations.Entry entry = affiliations.entry(change.user());
      Affiliation before = entry == null ? Affiliation.NONE : entry.affiliation();
      if (before != change.affiliation() && !elements.containsKey(change.user())) {
        AffiliationVersion after = version.after(change.user(), before, change.affiliation(), salt);
        elements.put(
            change.user(), AffiliationVersion.element(version.toString(), after.toString()));
        version = after;
      }
    }
    return new VersionChain(elements);
  }

  /// The versions before and after the change of a user, or null.
  public @Nullable Element of(Jid user) {
    return elements.get(user);
  }
}
