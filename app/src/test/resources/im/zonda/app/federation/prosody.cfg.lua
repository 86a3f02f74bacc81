data_path = "@FOLDER@/data"
daemonize = false
run_as_root = true
plugin_paths = { "@FOLDER@/modules" }
interfaces = { "127.0.0.1" }
c2s_ports = { @CLIENTS@ }
s2s_ports = { @SERVERS@ }
http_ports = { }
https_ports = { }
modules_enabled = {
	"test_routes", "disco", "roster", "saslauth", "tls", "dialback", "s2s_bidi", "smacks",
	"blocklist", "mam", "offline", "ping", "register", "register_ibr", "vcard_legacy", "version",
}
test_routes = { @ROUTES@ }
allow_registration = true
c2s_require_encryption = false
s2s_require_encryption = true
s2s_secure_auth = false
storage = "internal"
-- With an archive in files, Prosody used a whole core after some 10,000 messages to each user.
default_archive_policy = false
ssl = {
	certificate = "@CERTIFICATES@/prosody.example.crt",
	key = "@CERTIFICATES@/prosody.example.key",
	cafile = "@CERTIFICATES@/authority.crt",
}
log = { info = "@FOLDER@/log" }

VirtualHost "prosody.example"
Component "rooms.prosody.example" "muc"
