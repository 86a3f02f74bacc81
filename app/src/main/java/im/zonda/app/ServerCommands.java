package im.zonda.app;

import im.zonda.app.control.ControlCommand;
import im.zonda.app.doctor.DoctorInServer;
import im.zonda.app.hosts.ConfigReload;
import im.zonda.app.invitations.CircleCommand;
import im.zonda.app.invitations.InviteCommand;
import im.zonda.app.users.FilesCommand;
import im.zonda.host.XmppServer;
import im.zonda.module.circle.CircleModule;
import im.zonda.runtime.ServerRuntime;
import im.zonda.store.Stores;
import java.util.HashMap;
import java.util.Map;

/// The commands of administrators that the running server carries out.
record ServerCommands(StatusSource status, ConfigReload reload, ServerRuntime runtime) {
  /// The commands by their names.
  Map<String, ControlCommand> all() {
    Stores stores = status.stores();
    XmppServer server = status.server();
    Map<String, ControlCommand> commands = new HashMap<>();
    commands.put(
        DoctorInServer.NAME,
        new DoctorInServer(
            reload::running, status.listeners(), status.database()::health, runtime.clock()));
    commands.putAll(
        new InviteCommand(stores, reload::running, runtime.clock(), runtime.random()).all());
    commands.put(
        CircleCommand.NAME,
        new CircleCommand(
            stores,
            reload::running,
            runtime.clock(),
            runtime.random(),
            host -> server.notifyModule(host, CircleModule.NAME)));
    commands.put(FilesCommand.NAME, new FilesCommand(stores, reload::running));
    return commands;
  }
}
