package im.zonda.app;

import im.zonda.module.XmppModule;
import im.zonda.module.access.AccessModule;
import im.zonda.module.addressing.AddressingModule;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.avatar.AvatarModule;
import im.zonda.module.blocking.BlockingModule;
import im.zonda.module.bookmarks.BookmarksModule;
import im.zonda.module.bytestreams.BytestreamsModule;
import im.zonda.module.carbons.CarbonsModule;
import im.zonda.module.circle.CircleModule;
import im.zonda.module.circle.CircleModule.Parts;
import im.zonda.module.contact.ContactModule;
import im.zonda.module.datapolicy.DataPolicyModule;
import im.zonda.module.delay.DelayModule;
import im.zonda.module.delegation.DelegationModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.displayed.DisplayedModule;
import im.zonda.module.export.ExportModule;
import im.zonda.module.external.ExternalModule;
import im.zonda.module.following.FollowingModule;
import im.zonda.module.group.GroupModule;
import im.zonda.module.guests.GuestsModule;
import im.zonda.module.hints.HintsModule;
import im.zonda.module.hostmeta.HostMetaModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.module.last.LastModule;
import im.zonda.module.mam.MamModule;
import im.zonda.module.moved.MovedModule;
import im.zonda.module.muc.MucModule;
import im.zonda.module.offline.OfflineModule;
import im.zonda.module.ping.PingModule;
import im.zonda.module.presence.PresenceModule;
import im.zonda.module.privatexml.PrivateXmlModule;
import im.zonda.module.privilege.PrivilegeModule;
import im.zonda.module.profile.ProfileModule;
import im.zonda.module.pubsub.PubSubModule;
import im.zonda.module.pubsub.service.PubSubServiceModule;
import im.zonda.module.push.PushModule;
import im.zonda.module.registration.RegistrationModule;
import im.zonda.module.roster.RosterModule;
import im.zonda.module.search.SearchModule;
import im.zonda.module.stanzaid.StanzaIdModule;
import im.zonda.module.strangers.StrangersModule;
import im.zonda.module.time.TimeModule;
import im.zonda.module.upload.UploadModule;
import im.zonda.module.vcard.VcardModule;
import im.zonda.module.version.VersionModule;
import im.zonda.web.WebModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The modules of every virtual host, in the order in which they are installed.
public final class StandardModules {
  /// The modules of RFC 6121, which cannot be switched off.
  private static final Set<String> ESSENTIAL = Set.of("roster", "presence");

  private StandardModules() {}

  /// Creates the modules of one host.
  public static List<XmppModule> create() {
    GroupModule groups = new GroupModule();
    RosterModule roster = new RosterModule(groups.groups());
    PresenceModule presence = new PresenceModule(roster);
    VcardModule vcards = new VcardModule();
    DiscoModule disco = new DiscoModule(groups.groups());
    AdminModule admin = new AdminModule(disco);
    PrivateXmlModule privateXml = new PrivateXmlModule();
    InvitationModule invitations = new InvitationModule(admin, presence);
    MamModule mam = new MamModule(roster);
    MucModule rooms = new MucModule();
    RegistrationModule registration = new RegistrationModule(invitations);
    UploadModule uploads = new UploadModule();
    ExportModule export = new ExportModule(privateXml, uploads, rooms);
    PubSubModule pubsub = new PubSubModule(roster, disco, mam);
    BookmarksModule bookmarks = new BookmarksModule(pubsub, privateXml);
    List<XmppModule> all = new ArrayList<>(independent());
    all.addAll(
        List.of(
            groups,
            roster,
            presence,
            new GuestsModule(),
            new PrivilegeModule(roster),
            new DelegationModule(),
            new BlockingModule(presence, admin),
            new StanzaIdModule(),
            mam,
            new HintsModule(),
            new DelayModule(),
            new OfflineModule(),
            disco,
            new AccessModule(),
            new AddressingModule(),
            admin,
            new BytestreamsModule(),
            new CarbonsModule(),
            export,
            new LastModule(groups.groups()),
            rooms,
            privateXml,
            new PushModule(),
            pubsub,
            new PubSubServiceModule(),
            invitations,
            registration,
            new SearchModule(vcards),
            new MovedModule(roster, presence),
            new StrangersModule(roster, presence),
            uploads,
            vcards,
            bookmarks,
            new CircleModule(admin, invitations, new Parts(roster, presence, bookmarks, rooms)),
            new AvatarModule(pubsub, vcards, presence),
            new DisplayedModule(pubsub),
            new FollowingModule(pubsub),
            new ProfileModule(pubsub),
            new WebModule(rooms, registration, export, webFolder())));
    return List.copyOf(all);
  }

  /// The modules that only answer requests, and know no others.
  private static List<XmppModule> independent() {
    return List.of(
        new ContactModule(),
        new DataPolicyModule(),
        new ExternalModule(),
        new HostMetaModule(),
        new PingModule(),
        new TimeModule(),
        new VersionModule());
  }

  /// The folder of what the server shows in browsers, which the launcher names.
  private static @Nullable Path webFolder() {
    String folder = System.getProperty("zonda.web");
    return folder == null ? null : Path.of(folder);
  }

  /// The names of the modules that can be switched off.
  static Set<String> optional() {
    return create().stream()
        .map(XmppModule::name)
        .filter(name -> !ESSENTIAL.contains(name))
        .collect(Collectors.toUnmodifiableSet());
  }
}
