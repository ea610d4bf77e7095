"""Secrets as others would write them, collected after the rules were finished: languages, tools, tables and chats."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LATER_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "chat_lower_case": ("pw for the nas is <password> btw", "ok so its <password> for the router pw"),
        "chat_typo": ("passwort is <password>", "the passwrd is <password>"),
        "chat_two_facts": (
            "user is deploy and the password is <password>",
            "I log in as deploy with password <password>",
        ),
        "chat_parenthesis": ("log into the box (root / <password>)", "the portal (user: amy, pw: <password>)"),
        "chat_arrow": ("wifi -> <'tulipfield'>", "password -> <password>"),
        "chat_emoji": ("🔑 <alnum 32>", "password 👉 <password>"),
        "swedish": ("lösenordet är <password>", "portkoden är <digits 4>"),
        "danish": ("adgangskoden er <password>", "koden til døren er <digits 4>"),
        "norwegian": ("passordet er <password>", "koden til alarmen er <digits 4>"),
        "finnish": ("salasana on <password>", "ovikoodi on <digits 4>"),
        "czech": ("heslo je <password>", "kód od dveří je <digits 4>"),
        "hungarian": ("a jelszó: <password>", "a kapukód <digits 4>"),
        "greek": ("ο κωδικός είναι <password>", "το PIN είναι <digits 4>"),
        "romanian": ("parola este <password>", "codul de la ușă este <digits 4>"),
        "ukrainian": ("пароль від вайфаю: <password>", "код від домофона <digits 4>"),
        "arabic": ("كلمة المرور هي <password>", "الرمز السري هو <digits 4>"),
        "hebrew": ("הסיסמה היא <password>", "קוד הדלת הוא <digits 4>"),
        "hindi": ("पासवर्ड है <password>", "पासवर्ड: <password>"),
        "vietnamese": ("mật khẩu là <password>", "mã cửa là <digits 4>"),
        "indonesian": ("kata sandi adalah <password>", "kode pintu: <digits 4>"),
        "thai": ("รหัสผ่านคือ <password>", "รหัสประตู <digits 4>"),
        "spanish_pair": ("usuario ana y contraseña <password>", "Usuario: ana\nContraseña: <'girasol'>"),
        "french_pair": ("identifiant : ana, mot de passe : <password>", "le code d'entrée est le <digits 4>A"),
        "italian_pair": ("utente ana, password <password>", "il PIN della carta è <digits 5>"),
        "portuguese_pair": ("usuário ana e senha <password>", "a senha do wifi é <'girassol'>"),
        "dutch_pair": ("gebruiker ana, wachtwoord <password>", "de pincode is <digits 4>"),
        "header_table": ("| user | password |\n|---|---|\n| ana | <password> |", "name,password\nana,<password>"),
        "aligned_table": (
            "host      db1\nuser      ana\npassword  <password>",
            "SSID        Home\nKey         <'tulipfield'>",
        ),
        "html_table": ("<tr><td>Password</td><td><password></td></tr>", "<dt>API key</dt><dd><alnum 32></dd>"),
        "plist": ("<key>Password</key>\n<string><password></string>",),
        "kubernetes_secret": ("stringData:\n  password: <'tulips'>", 'env:\n- name: JWT_SECRET\n  value: "<alnum 32>"'),
        "docker_compose": ("      POSTGRES_PASSWORD: <'tulips'>", "      - MYSQL_PASSWORD=<'tulips'>"),
        "terraform_variable": ('password = "<password>"', 'secret_key  = "<alnum 40>"'),
        "php_config": ("define('DB_PASSWORD', '<password>');", "'password' => '<password>',"),
        "java_properties": ("spring.datasource.password=<password>", "jwt.secret=<alnum 40>"),
        "python_call": ("connect(user='a', password='<password>')", "requests.get(u, auth=('ana', '<password>'))"),
        "javascript_object": ("{ apiKey: '<alnum 32>', secret: \"<alnum 24>\" }", "const token = `<alnum 32>`"),
        "connection_string": ("Server=db;Uid=sa;Pwd=<password>;", "Data Source=x;User ID=a;Password=<'tulips'>;"),
        "jdbc": (
            "jdbc:mysql://h/db?user=a&password=<alnum 12>",
            "jdbc:postgresql://h/db?user=a&password=<'tulips'>&ssl=true",
        ),
        "wireguard": ("PrivateKey = <base64 43>=", "PresharedKey = <base64 43>="),
        "wpa_supplicant": ("psk=\"<'tulipfield'>\"", "wpa_passphrase=<'tulipfield'>"),
        "ansible_inventory": ("host1 ansible_user=a ansible_password=<password>", "ansible_become_pass=<'tulips'>"),
        "npmrc": ("//r.example.org/:_password=<base64 24>", "_auth=<base64 32>="),
        "powershell": (
            "$pw = ConvertTo-SecureString '<password>' -AsPlainText",
            "net use Z: \\\\srv\\x /user:ana <password>",
        ),
        "git_credentials": ("username=ana\npassword=<alnum 40>", "https://ana:<alnum 20>@git.example.org"),
        "totp": ("otpauth://totp/x?secret=JBSW<upper 20>&issuer=a", "TOTP secret: JBSW<upper 12>"),
        "recovery_codes": ("recovery codes: <lower 5>-<lower 5> <lower 5>-<lower 5>", "backup code <digits 8>"),
        "query_token": ("https://x.org/cb?access_token=<alnum 40>&x=1", "https://x.org/r?reset_token=<hex 32>"),
        "medical_and_tax": ("NHS number: <digits 3> <digits 3> <digits 4>", "my EIN is <digits 2>-<digits 7>"),
        "bank": ("sort code 12-34-56 account number <digits 8>", "routing number <digits 9>, account <digits 10>"),
        "phone_lock": ("my phone unlock code is <digits 6>", "the lock screen PIN on the tablet: <digits 4>"),
        "bike_lock": ("the bike lock is <digits 4>", "padlock code <digits 3>"),
        "garage": ("garage keypad: <digits 4>#", "punch in <digits 4> at the gate"),
        "hidden_answer": ("security question answer: <'Rosalinde'>", "mother's maiden name is <'Rosalinde'>"),
        "spelled_out": ("password = capital <'Zebra42x'>", "the password, all lower case, is <'tulips77'>"),
        "later_line": ("The new password:\n<password>", "Here is the key\n<alnum 40>"),
    }
)
