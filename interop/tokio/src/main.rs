//! The steps of interop/run with tokio-xmpp (Rust). Its parsers are strict about what they know:


use futures::StreamExt;
use std::{collections::VecDeque, env, future::Future, io::Write, time::Duration};
use tokio::time::timeout;
use tokio_xmpp::connect::{DirectTlsServerConnector, DnsConfig, StartTlsServerConnector};
use tokio_xmpp::parsers::{
    carbons::Sent, data_forms::{DataForm, DataFormType}, delay::Delay, disco::DiscoInfoResult, mam, muc::MucUser,
    occupant_id::OccupantId, roster::Roster, stanza_id::StanzaId,
};
use tokio_xmpp::{minidom::Element, xmlstream::Timeouts};
use tokio_xmpp::{Client, Event, IqRequest, IqResponse, Stanza};

type Result<T> = std::result::Result<T, String>;

const SECONDS: Duration = Duration::from_secs(15);
const CLIENT: &str = "jabber:client";
const MUC: &str = "http://jabber.org/protocol/muc";

fn step(name: &str, outcome: Result<String>) -> bool {
    match &outcome {
        Ok(detail) => println!("step {name} ok {detail}"),
        Err(reason) => println!("step {name} failed {}", reason.replace('\n', " ")),
    }
    let _ = std::io::stdout().flush();
    outcome.is_ok()
}

async fn order(words: &str) {
    println!("do {words}");
    let _ = std::io::stdout().flush();
    let read = tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new()));
    let _ = read.await;
}

async fn within<T>(what: &str, work: impl Future<Output = T>) -> Result<T> {
    timeout(SECONDS, work).await.map_err(|_| format!("no {what}"))
}

fn xml(text: &str) -> Element {
    text.parse().expect("the request is well-formed")
}

/// Reads an answer by its own type.
fn strict<T>(payload: &Element) -> Result<T>
where
    T: TryFrom<Element>,
    T::Error: std::fmt::Debug,
{
    T::try_from(payload.clone()).map_err(|e| format!("{e:?} in {}", String::from(payload)))
}

/// The payload of that type, or what is wrong with it.
fn payload<T>(stanza: &Element, name: &str, namespace: &str) -> Result<T>
where
    T: TryFrom<Element>,
    T::Error: std::fmt::Debug,
{
    strict(stanza.get_child(name, namespace).ok_or(format!("no {name}"))?)
}

/// A user. Stanzas that no call waits for are kept.
struct User {
    client: Client,
    bare: String,
    full: String,
    kept: VecDeque<Element>,
    online: Option<bool>,
}

impl User {
    async fn login(name: &str, resource: &str) -> Result<User> {
        let domain = env::var("INTEROP_DOMAIN").unwrap();
        let port = env::var(format!("INTEROP_PORT_{}", name.to_uppercase())).unwrap();
        let bare = format!("{name}@{domain}");
        let jid: tokio_xmpp::jid::Jid = format!("{bare}/{resource}").parse().unwrap();
        let password = env::var("INTEROP_PASSWORD").unwrap();
        let dns = DnsConfig::addr(&format!("127.0.0.1:{port}"));
        let timeouts = Timeouts::tight();
        let client = if env::var("INTEROP_SECURITY").unwrap() == "tls" {
            Client::new_with_connector(jid, password, DirectTlsServerConnector::from(dns), timeouts)
        } else {
            Client::new_with_connector(jid, password, StartTlsServerConnector::from(dns), timeouts)
        };
        let mut user = User { client, bare, full: String::new(), kept: VecDeque::new(), online: None };
        user.comes_online().await?;
        let roster = user.get(None, "<query xmlns='jabber:iq:roster'/>").await?;
        strict::<Roster>(&roster)?;
        user.send("<presence xmlns='jabber:client'/>").await?;
        Ok(user)
    }

    /// Waits for the next time that the stream is up; whether it was resumed.
    async fn comes_online(&mut self) -> Result<bool> {
        while self.online.is_none() {
            self.event("stream").await?;
        }
        Ok(self.online.take().unwrap())
    }

    async fn event(&mut self, what: &str) -> Result<()> {
        match within(what, self.client.next()).await? {
            Some(Event::Online { bound_jid, resumed, .. }) => {
                self.online = Some(resumed);
                self.full = bound_jid.to_string();
            }
            Some(Event::Stanza(Stanza::Message(message))) => self.kept.push_back(message.into()),
            Some(Event::Stanza(Stanza::Presence(presence))) => self.kept.push_back(presence.into()),
            Some(Event::Stanza(Stanza::Iq(iq))) => self.kept.push_back(iq.into()),
            Some(Event::Disconnected(e)) => eprintln!("{}: {e}", self.bare),
            None => return Err("the client has ended".into()),
        }
        Ok(())
    }

    async fn receives(&mut self, what: &str, fits: impl Fn(&Element) -> bool) -> Result<Element> {
        loop {
            if let Some(at) = self.kept.iter().position(&fits) {
                return Ok(self.kept.remove(at).unwrap());
            }
            self.event(what).await?;
        }
    }

    async fn hears(&mut self, text: &str) -> Result<Element> {
        self.receives(text, |stanza| {
            stanza.get_child("body", CLIENT).is_some_and(|body| body.text() == text)
        })
        .await
    }

    async fn send(&mut self, stanza: &str) -> Result<()> {
        let element = xml(stanza);
        let stanza = match element.name() {
            "message" => Stanza::Message(strict(&element)?),
            _ => Stanza::Presence(strict(&element)?),
        };
        self.client.send_stanza(stanza).await.map(|_| ()).map_err(|e| e.to_string())
    }

    async fn says(&mut self, to: &str, kind: &str, text: &str) -> Result<()> {
        self.send(&format!(
            "<message xmlns='jabber:client' to='{to}' type='{kind}'><body>{text}</body></message>"
        ))
        .await
    }

    async fn get(&mut self, to: Option<&str>, query: &str) -> Result<Element> {
        let answer = self.ask(to, IqRequest::Get(xml(query))).await?;
        answer.ok_or("an empty result".into())
    }

    async fn set(&mut self, to: Option<&str>, query: &str) -> Result<Option<Element>> {
        self.ask(to, IqRequest::Set(xml(query))).await
    }

    async fn ask(&mut self, to: Option<&str>, request: IqRequest) -> Result<Option<Element>> {
        let to = to.map(|jid| jid.parse().unwrap());
        let token = self.client.send_iq(to, request).await;
        match within("answer", token).await?.map_err(|e| e.to_string())? {
            IqResponse::Result(payload) => Ok(payload),
            IqResponse::Error(e) => Err(format!("{e:?}")),
        }
    }

    async fn enters(&mut self, room: &str, nick: &str) -> Result<MucUser> {
        self.send(&format!(
            "<presence xmlns='{CLIENT}' to='{room}/{nick}'><x xmlns='{MUC}'/></presence>"
        ))
        .await?;
        let from = format!("{room}/{nick}");
        let own = self.receives("own presence", |one| one.attr("from") == Some(&from)).await?;
        payload::<OccupantId>(&own, "occupant-id", "urn:xmpp:occupant-id:0")?;
        payload(&own, "x", "http://jabber.org/protocol/muc#user")
    }
}

fn is_presence(stanza: &Element, kind: Option<&str>) -> bool {
    stanza.name() == "presence" && stanza.attr("type") == kind
}

async fn roster(alice: &mut User, bob: &mut User) -> Result<String> {
    let (to_bob, to_alice) = (bob.bare.clone(), alice.bare.clone());
    let set = format!("<query xmlns='jabber:iq:roster'><item jid='{to_bob}' name='Bob'/></query>");
    alice.set(None, &set).await?;
    let push = alice.receives("roster push", |one| one.name() == "iq").await?;
    strict::<Roster>(push.children().next().ok_or("an empty push")?)?;
    let request = format!("<presence xmlns='{CLIENT}' to='{to_bob}' type='subscribe'/>");
    alice.send(&request).await?;
    bob.receives("request", |one| is_presence(one, Some("subscribe"))).await?;
    let consent = format!("<presence xmlns='{CLIENT}' to='{to_alice}' type='subscribed'/>");
    bob.send(&consent).await?;
    let from_bob = |one: &Element| {
        is_presence(one, None) && one.attr("from").is_some_and(|from| from.starts_with(&to_bob))
    };
    alice.receives("presence", from_bob).await?;
    let answer = alice.get(None, "<query xmlns='jabber:iq:roster'/>").await?;
    let read: Roster = strict(&answer)?;
    Ok(format!("{:?}", read.items.first().ok_or("no contact")?.subscription))
}

async fn chat(alice: &mut User, bob: &mut User) -> Result<String> {
    alice.says(&bob.bare, "chat", "hello Bob").await?;
    let message = bob.hears("hello Bob").await?;
    payload::<StanzaId>(&message, "stanza-id", "urn:xmpp:sid:0")?;
    bob.says(message.attr("from").unwrap(), "chat", "hello Alice").await?;
    alice.hears("hello Alice").await?;
    Ok(String::new())
}

async fn offline(alice: &mut User) -> Result<String> {
    let bob = User::login("bob", "orchard").await?;
    let bare = bob.bare.clone();
    bob.client.send_end().await.map_err(|e| e.to_string())?;
    alice.says(&bare, "chat", "while you were away").await?;
    let mut again = User::login("bob", "orchard").await?;
    let message = again.hears("while you were away").await?;
    let delay: Delay = payload(&message, "delay", "urn:xmpp:delay")?;
    again.client.send_end().await.map_err(|e| e.to_string())?;
    Ok(format!("{:?}", delay.stamp))
}

async fn room(alice: &mut User, bob: &mut User, room: &str) -> Result<String> {
    let entered = alice.enters(room, "alice").await?;
    let owner = "<query xmlns='http://jabber.org/protocol/muc#owner'/>";
    let query = alice.get(Some(room), owner).await?;
    let mut form: DataForm = payload(&query, "x", "jabber:x:data")?;
    let fields = form.fields.len();
    form.type_ = DataFormType::Submit;
    let mut submit = xml(owner);
    submit.append_child(form.into());
    alice.set(Some(room), &String::from(&submit)).await?;
    bob.enters(room, "bob").await?;
    alice.says(room, "groupchat", "how green").await?;
    bob.hears("how green").await?;
    let info = bob.get(Some(room), "<query xmlns='http://jabber.org/protocol/disco#info'/>").await?;
    strict::<DiscoInfoResult>(&info)?;
    for (user, nick) in [(alice, "alice"), (bob, "bob")] {
        let leave = format!("<presence xmlns='{CLIENT}' to='{room}/{nick}' type='unavailable'/>");
        user.send(&leave).await?;
        let from = format!("{room}/{nick}");
        let own = |one: &Element| {
            is_presence(one, Some("unavailable")) && one.attr("from") == Some(&from)
        };
        user.receives("exit", own).await?;
    }
    Ok(format!("{fields} fields, {} codes", entered.status.len()))
}

async fn archive(alice: &mut User, domain: &str) -> Result<String> {
    let info = alice.get(Some(domain), "<query xmlns='http://jabber.org/protocol/disco#info'/>").await?;
    let features = strict::<DiscoInfoResult>(&info)?.features;
    if !features.iter().any(|feature| feature == "urn:xmpp:mam:2") {
        return Err("the host does not name the archive".into());
    }
    let query = "<query xmlns='urn:xmpp:mam:2' queryid='q'><set xmlns='http://jabber.org/protocol/rsm'><max>5</max></set></query>";
    let answer = alice.set(None, query).await?.ok_or("an empty result")?;
    let fin: mam::Fin = strict(&answer)?;
    let found = alice.receives("result", |one| one.has_child("result", "urn:xmpp:mam:2")).await?;
    payload::<mam::Result_>(&found, "result", "urn:xmpp:mam:2")?;
    Ok(format!("complete {:?}", fin.complete))
}

async fn carbons(alice: &mut User, bob: &mut User) -> Result<String> {
    alice.set(None, "<enable xmlns='urn:xmpp:carbons:2'/>").await?;
    let mut phone = User::login("alice", "phone").await?;
    phone.says(&bob.bare, "chat", "from the phone").await?;
    let copy = alice.receives("copy", |one| one.has_child("sent", "urn:xmpp:carbons:2")).await?;
    payload::<Sent>(&copy, "sent", "urn:xmpp:carbons:2")?;
    bob.hears("from the phone").await?;
    phone.client.send_end().await.map_err(|e| e.to_string())?;
    Ok(String::new())
}

async fn resume(alice: &mut User, bob: &mut User) -> Result<String> {
    alice.online = None;
    order("cut alice").await;
    bob.says(&alice.full, "chat", "into the gap").await?;
    order("open alice").await;
    let resumed = alice.comes_online().await?;
    alice.hears("into the gap").await?;
    Ok(if resumed { "resumed" } else { "logged in again" }.into())
}

async fn restart(alice: &mut User, bob: &mut User) -> Result<String> {
    alice.online = None;
    bob.online = None;
    order("restart").await;
    let resumed = alice.comes_online().await?;
    bob.comes_online().await?;
    alice.says(&bob.full, "chat", "still here").await?;
    bob.hears("still here").await?;
    Ok(if resumed { "resumed" } else { "logged in again" }.into())
}

#[tokio::main]
async fn main() {
    env_logger::init();
    let domain = env::var("INTEROP_DOMAIN").unwrap();
    let garden = format!("garden@rooms.{domain}");
    let mut alice = match User::login("alice", "balcony").await {
        Ok(user) => user,
        Err(reason) => {
            step("login", Err(reason));
            return;
        }
    };
    step("offline", offline(&mut alice).await);
    let mut bob = match User::login("bob", "orchard").await {
        Ok(user) => user,
        Err(reason) => {
            step("login", Err(reason));
            return;
        }
    };
    step("login", Ok(alice.full.clone()));
    step("roster", roster(&mut alice, &mut bob).await);
    step("chat", chat(&mut alice, &mut bob).await);
    step("room", room(&mut alice, &mut bob, &garden).await);
    step("archive", archive(&mut alice, &domain).await);
    step("carbons", carbons(&mut alice, &mut bob).await);
    step("resume", resume(&mut alice, &mut bob).await);
    step("restart", restart(&mut alice, &mut bob).await);
    std::process::exit(0);
}
