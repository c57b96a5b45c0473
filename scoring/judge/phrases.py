"""Phrase lists of the offline judge, Chinese and English: plain data, one group per meaning.

Conventions: everything is written the way ``scoring.judge.words`` normalises speech: small
letters, simplified characters, no punctuation, contractions spelled out ("did not"). Chinese is
compared character by character, English word by word, both with room for a misheard one.
"""


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split(","))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The model asks the user to say it again, or says that it did not hear (rule 6 of protocol 4.3).
ASKS_TO_REPEAT = _phrases(
    """
    did not catch, could not catch, did not hear, could not hear, can not hear, did not get that,
    did not get what, did not quite, quite catch, quite hear, quite understand, catch that,
    catch what, hear that, hear you, could you say, can you say, did not understand,
    do not understand, could not understand, not sure what you, not sure i understood,
    not sure i understand, missed that, missed what you, trouble hearing, trouble understanding,
    hard to hear, hard to understand, you repeat, please repeat, mind repeating,
    you say that again, you say it again, please say that again, please say it again,
    say that again please, say it again please, you say that one more time,
    say that once more please, come again, your pardon, pardon me, what did you say,
    what was that, you rephrase, speak a little louder, speak up, 没听清, 没有听清, 没太听清,
    没听到, 没有听到, 没听见, 没听懂, 没有听懂, 没听明白, 没有听明白, 没太明白, 听不清, 听不太清,
    听不懂, 听不到, 不太明白你, 不太明白您, 不明白你, 不明白您, 不太理解, 没有理解, 没理解, 没听,
    没有听, 听清楚, 再说一遍, 再说一次, 再讲一遍, 请再说, 请再讲, 请你再说, 请您再说, 你再说一,
    您再说一, 你再讲一, 您再讲一, 能再说一, 能不能再说, 可以再说一, 可不可以再说, 可以再讲一,
    能再讲一, 麻烦再说, 再说一遍好吗, 再说一次好吗, 再说一遍可以吗, 再说一次可以吗, 再说一遍吗,
    再说一次吗, 请重复, 能重复, 可以重复, 你重复, 您重复, 你说什么, 您说什么, 你刚才说什么,
    您刚才说什么, 你刚才说的什么, 您刚才说的是什么, 你刚才说的是什么, 大声一点
    """
)

# With one of these before it, a repeat is an offer or an announcement of the model itself.
ANNOUNCES_REPEAT = _phrases(
    """
    i will, i can, let me, i would, like me to, want me to, happy to, glad to, 我, 给你, 给您,
    为你, 为您, 帮你, 帮您, 需要
    """
)

# The user asks the model to say it again (rule 9 of protocol 4.3).
REPEAT_REQUESTS = _phrases(
    """
    that again, it again, said again, sorry could you, sorry can you, sorry what, tell me again,
    tell me that again, explain that again, explain it again, go over that again,
    go through that again, run that by me, again please, please again, that part again,
    last part again, repeat, repeating, once more, one more time, pardon, come again,
    did not catch, did not hear, did not get that, could not hear, could not catch, missed that,
    missed what you, missed the, did you just say, did you say, what was that,
    what were you saying, 再说一, 再说下, 说一遍, 说一次, 讲一遍, 请再, 对不起请, 再讲一, 再讲下,
    再来一遍, 再念一, 再重复, 重复一, 重复下, 重复你, 请重复, 没听清, 没有听清, 没听到, 没听见,
    没听懂, 没记住, 刚才说什么, 刚才说的, 刚才讲的, 刚刚说什么, 刚刚说的, 刚刚讲的, 刚说什么,
    你说什么, 你说啥, 来着
    """
)

# The model announces that it says something again.
RESTATES = _phrases(
    """
    i said, i was saying that, i mentioned, let me repeat, let me say, i will repeat, i will say,
    once again, again, 我刚才说, 我刚刚说, 我刚才讲, 我说的是, 我是说, 我再说, 我重复, 我再讲,
    再说一遍, 再讲一遍, 重复一遍
    """
)

# Openings that acknowledge, thank or apologise and carry no content of their own.
OPENERS = _phrases(
    """
    okay, alright, all right, sure, sure thing, yes, yeah, yep, no, right, you are right,
    of course, certainly, absolutely, definitely, no problem, not a problem, got it, i see,
    i understand, understood, sorry, i am sorry, sorry about that, so sorry, excuse me,
    my apologies, apologies, i apologize, my mistake, my bad, thanks, thank you, great, good,
    fine, very well, well, oh, ah, happy to, glad to, no worries, never mind, exactly, indeed,
    good question, great question, 好的, 好, 好吧, 好啊, 好呀, 好嘞, 行, 可以, 可以的, 没问题,
    没关系, 当然, 当然可以, 明白, 明白了, 知道了, 了解, 收到, 对不起, 抱歉, 非常抱歉, 很抱歉,
    不好意思, 是的, 是啊, 对, 对的, 没错, 哦, 啊, 谢谢, 你说得对, 您说得对, 你说的对, 您说的对,
    不客气, 那, 那么
    """
)

# Sounds of thinking or listening: no segment of meaning.
HUMS = _phrases(
    """
    uh, um, er, erm, hm, hmm, mm, mhm, mmm, huh, 嗯, 呃, 唔, 额, 诶, 欸
    """
)

# Words about the conversation that lead back to the interrupted answer.
BRIDGES = _phrases(
    """
    anyway, anyways, as i was saying, as i said, as i mentioned, like i said, like i was saying,
    i was saying, to continue, continuing, continuing on, where was i, going back to,
    getting back to, back to what i was saying, back to, back to the, back to our topic,
    let me continue, let me go on, let me finish, let us continue, i will continue, i will go on,
    i will carry on, moving on, to go on, carrying on, so, and so, 我继续, 继续, 继续说, 我继续说,
    那我继续, 我们继续, 接着说, 我接着说, 接着讲, 继续讲, 继续刚才的, 继续刚才的话题, 刚才说到,
    我刚才说到, 刚刚说到, 刚才讲到, 回到刚才的话题, 回到刚才, 回到正题, 言归正传, 话说回来, 总之,
    所以
    """
)

# What a listener says without wanting the floor.
BACKCHANNELS = HUMS + _phrases(
    """
    uh huh, yeah, yes, yep, yup, okay, right, sure, i see, oh, ah, aha, oh i see, got it, really,
    wow, great, nice, cool, good, exactly, true, indeed, interesting, that is interesting,
    makes sense, that makes sense, of course, go on, no way, understood, i understand, i know, 对,
    对对, 对的, 对啊, 是, 是的, 是啊, 是吗, 好, 好的, 哦, 噢, 喔, 啊, 哇, 这样, 这样啊, 这样子,
    原来如此, 原来是这样, 明白, 明白了, 知道了, 我知道, 了解, 有道理, 没错, 真的, 真的吗, 不错,
    懂了, 行
    """
)

# Words that carry little meaning: they weigh less when speech is compared, and do not relate two
# utterances to each other.
STOP_WORDS = _words(
    """
    a an the and or but if then so as of in on at to for from by with about into over after before
    is are was were be been being am do does did done have has had can could will would shall
    should may might must not no yes it its this that these those there here i you he she we they
    me him her us them my your his our their what which who when where why how all any some very
    just also too more most only well okay please let get got go going say said tell like
    """
)

STOP_CHARACTERS = frozenset(
    "的一了是在有和你我他她它们个不这那就要可以会能也都还很吗呢吧啊哦嗯请您给把被让到上下里去来"
    "说什么怎么没么得地着过为因所而且但如果或者与及与其之于从对"
)

# Words that come with a repeat request and are no answer.
POLITE_WORDS = _words(
    """
    sorry excuse pardon apologies apologize afraid hear heard catch caught understand understood
    quite clearly properly repeat repeating again once time one please question request said
    saying say tell mind trouble hard having little bit louder speak up slowly clear mean meant
    rephrase last part first end word words sentence thing sure audio voice noise noisy connection
    miss missed something anything now okay hmm um uh oh actually unfortunately try asked asking
    interrupted interrupt
    """
)

POLITE_CHARACTERS = frozenset(
    "对不起抱歉意思好刚才刚听清楚见懂明白理解再遍次重复问题话句后最前面大声点慢麻烦劳驾请太稍微"
    "些下信号噪音吵没有能否可以一个愿帮忙谢"
)

# Common characters that differ between the two scripts, pair by pair.
TRADITIONAL = (
    "個們這來為說會時對開無關還過點現發頭見經長問學國種動電當進話樣實機裡裏後從麼沒體與應兩"
    "間條業內張給聽讓買賣東西車馬鳥魚飯飲館錢門網覺觀記試該請謝誰課論議識變讀讚費資質賽"
    "輕載農遠運連遲選遊邊還郵鄉醫鐘鐵錯鍋鎮陰陽陸階隨險雖雙離難雲霧靜頂項順須預領題顏願類"
    "風飛養體麗黃齊龍愛備傳傷億優兒內冊凍別劃劇動務勞勢勝單參員圖園圍團壓壞壘夠夢奪媽媧孫"
    "專導層屬島師帶幫幹幾庫廣廳彈彎歸錄後復徵態慣慮懷戲戰戶掃掛採換損搖撥擇擊擔據擠擴攝數"
    "斷於晚曬暫書條極構樓標樹橋機檢歐歲歷氣沒決況淚淨淺溫準溝滅滾滿漢潔濕濟濃灣災烏熱燈燒"
    "爐爺狀獨獎獲環產畢畫異療癢盡監盤眾睜礎確禮禍稱穀穩窩競筆節範築簡簽糧紀約紅紙級細終組"
    "結絕統絲經綠維緊線練緩編總績織繞繩繼續羅聖聞聯聲職腦腳膚臉臨舉舊艦藝節芻莊華萬葉著蓋"
    "蔥蘇蘭處號蟲補裝製複規視親覽觸計訂訊討訓託訴診詞詢詳語誤調談證譜護豐負財貨販貴貼貿賀"
    "賞賠趕趙跡踐軍軟轉輛輪輸轟辦辭達違適鄰釋針釘鈴銀鋪鋒鋼鍵鑰閉閃閱隊際雞電韓頓頻顆顧餅"
    "餓餘駕驗驚髮鬆鬧鮮麥麵齡團絡斤嗎吶噴麪糰"
)
SIMPLIFIED = (
    "个们这来为说会时对开无关还过点现发头见经长问学国种动电当进话样实机里里后从么没体与应两"
    "间条业内张给听让买卖东西车马鸟鱼饭饮馆钱门网觉观记试该请谢谁课论议识变读赞费资质赛"
    "轻载农远运连迟选游边还邮乡医钟铁错锅镇阴阳陆阶随险虽双离难云雾静顶项顺须预领题颜愿类"
    "风飞养体丽黄齐龙爱备传伤亿优儿内册冻别划剧动务劳势胜单参员图园围团压坏垒够梦夺妈娲孙"
    "专导层属岛师带帮干几库广厅弹弯归录后复征态惯虑怀戏战户扫挂采换损摇拨择击担据挤扩摄数"
    "断于晚晒暂书条极构楼标树桥机检欧岁历气没决况泪净浅温准沟灭滚满汉洁湿济浓湾灾乌热灯烧"
    "炉爷状独奖获环产毕画异疗痒尽监盘众睁础确礼祸称谷稳窝竞笔节范筑简签粮纪约红纸级细终组"
    "结绝统丝经绿维紧线练缓编总绩织绕绳继续罗圣闻联声职脑脚肤脸临举旧舰艺节刍庄华万叶着盖"
    "葱苏兰处号虫补装制复规视亲览触计订讯讨训托诉诊词询详语误调谈证谱护丰负财货贩贵贴贸贺"
    "赏赔赶赵迹践军软转辆轮输轰办辞达违适邻释针钉铃银铺锋钢键钥闭闪阅队际鸡电韩顿频颗顾饼"
    "饿余驾验惊发松闹鲜麦面龄团络斤吗呐喷面团"
)
