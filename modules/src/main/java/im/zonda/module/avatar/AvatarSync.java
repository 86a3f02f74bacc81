package im.zonda.module.avatar;

import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.pubsub.PepNodes;
import im.zonda.module.pubsub.PepNodes.Reach;
import im.zonda.module.vcard.VcardModule;
import im.zonda.module.vcard.VcardModule.Photos;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps the picture of an account in its nodes, and shows it in the vCard to those who may
/// retrieve it there. A photo that a client puts into the vCard is published instead of stored.
/// Runs at the account's home; blocks.
final class AvatarSync implements Photos {
  private final PepNodes nodes;
  private final VcardModule vcards;
  private final HomeKey<Avatar> key;
  private final IdSource ids;
  private final Consumer<Home> changed;

  /// @param key the avatar at each home
  /// @param changed called when clients and contacts must learn of another avatar
  AvatarSync(
      PepNodes nodes,
      VcardModule vcards,
      HomeKey<Avatar> key,
      IdSource ids,
      Consumer<Home> changed) {
    this.nodes = nodes;
    this.vcards = vcards;
    this.key = key;
    this.ids = ids;
    this.changed = changed;
  }

  /// A client has changed the node that says which picture is the avatar.
  void metadataChanged(Home home, PepNodes.Change change) {
    Element vcard = vcards.find(home.jid());
    if (change != PepNodes.Change.CONFIGURED && vcard != null && Picture.ofVcard(vcard) != null) {
      vcards.replace(home.jid(), Picture.withPhoto(vcard, null));
    }
    update(home);
  }

  /// A client has changed the node of the pictures: the picture is there or not, and for whom.
  ///
  /// A picture that replaces the one that the metadata names is another avatar only when the
  /// metadata follow, as clients publish them (XEP-0084, sections 3.1 and 3.2): until then nothing
  /// changes, so that contacts are not notified in between that there is no picture.
  void dataChanged(Home home, PepNodes.Change change) {
    Picture.Reference info = home.state(key).info();
    boolean replaced =
        change == PepNodes.Change.PUBLISHED && info != null && picture(home, info) == null;
    if (!replaced) {
      update(home);
    }
  }

  private void update(Home home) {
    Avatar avatar = home.state(key);
    String before = avatar.hashFor(true);
    avatar.read(nodes, home.jid());
    Picture.Reference info = avatar.info();
    if (info != null && picture(home, info) == null) {
      avatar.clear();
    }
    String after = avatar.hashFor(true);
    if (before == null ? after != null : !before.equals(after)) {
      changed.accept(home);
    }
  }

  @Override
  public @Nullable Element shown(Home home, Jid user, @Nullable Element vcard) {
    Picture picture = picture(home, user);
    return picture == null ? vcard : Picture.withPhoto(vcard, picture.toPhoto());
  }

  /// The picture, if there is one that the user may retrieve from the nodes.
  private @Nullable Picture picture(Home home, Jid user) {
    Picture.Reference info = home.exists() ? home.state(key).info() : null;
    if (info == null
        || !nodes.mayRead(home, Picture.METADATA, user)
        || !nodes.mayRead(home, Picture.DATA, user)) {
      return null;
    }
    return picture(home, info);
  }

  /// The picture in the node if it has the hash that the metadata says.
  private @Nullable Picture picture(Home home, Picture.Reference info) {
    Element data = nodes.item(home.jid(), Picture.DATA, info.id());
    return data == null ? null : Picture.ofData(data, info);
  }

  @Override
  public Taken take(Home home, @Nullable Element vcard) {
    Picture picture = vcard == null ? null : Picture.ofVcard(vcard);
    if (picture == null) {
      // The owner has seen the photo in the vCard, and has taken it out.
      if (home.state(key).info() != null) {
        publishMetadata(home, ids.next(), Element.of(Picture.METADATA, "metadata"));
      }
      return new Taken.Rest(vcard);
    }
    if (!nodes.hasRoom(home, picture.data().length())) {
      return new Taken.Refused(
          IqReply.refuse(ErrorCondition.RESOURCE_CONSTRAINT, "There is no room for the photo."));
    }
    if (!publish(home, picture)) {
      return new Taken.Rest(vcard);
    }
    Element rest = Picture.withPhoto(vcard, null);
    return new Taken.Rest(rest.children().isEmpty() ? null : rest);
  }

  /// Moves a photo that was stored with the vCard while nobody kept it elsewhere.
  void move(Home home) {
    if (!home.exists() || nodes.last(home.jid(), Picture.METADATA) != null) {
      return;
    }
    Element vcard = vcards.find(home.jid());
    Picture picture = vcard == null ? null : Picture.ofVcard(vcard);
    if (picture != null && nodes.hasRoom(home, picture.data().length()) && publish(home, picture)) {
      vcards.replace(home.jid(), Picture.withPhoto(vcard, null));
    }
  }

  /// Publishes a picture unless it is the avatar; false if it cannot be published.
  private boolean publish(Home home, Picture picture) {
    Picture.Reference present = home.state(key).info();
    if (present != null
        && present.hash().equals(picture.hash())
        && nodes.item(home.jid(), Picture.DATA, present.id()) != null) {
      return true;
    }
    Map<String, Element> data = Map.of(picture.hash(), picture.toData());
    return nodes.publish(home, Picture.DATA, data, Reach.EVERYONE)
        && publishMetadata(home, picture.hash(), picture.toMetadata());
  }

  private boolean publishMetadata(Home home, String id, Element metadata) {
    // Everyone may read vCards, and so may everyone read nodes that are made from one.
    boolean done = nodes.publish(home, Picture.METADATA, Map.of(id, metadata), Reach.EVERYONE);
    update(home);
    return done;
  }
}
